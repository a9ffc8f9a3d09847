import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { request } from '../live/request.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';

interface Props<Data> {
  title: string;
  /** What is read when the dialog opens. */
  path: string;
  /** The label of the button that acts. */
  action: string;
  act: () => Promise<unknown>;
  onClose: () => void;
  /** Says what the action does, in numbers of this moment. */
  children: (data: Data) => ReactNode;
}

/** Asks before an action that cannot be undone, once the server has said what it takes. */
export function CountedDialog<Data>({ title, path, action, act, onClose, children }: Props<Data>) {
  const read = useReadNow<Data>(path);
  async function send() {
    await act();
    onClose();
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Loaded query={read}>
        {(data) => (
          <Form place="dialog" look="danger" submit={action} send={send} onCancel={onClose}>
            {children(data)}
          </Form>
        )}
      </Loaded>
    </Dialog>
  );
}

/** Reads a path anew for each dialog: the page behind it may have been read long ago. */
export function useReadNow<Data>(path: string) {
  return useQuery({
    queryKey: [path, 'now'],
    queryFn: () => request<Data>('GET', path),
    staleTime: 0,
    gcTime: 0,
  });
}
