import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

interface Props {
  title: string;
  hint: string;
  /** The label of the button that acts. */
  action: string;
  act: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before an action that cannot be undone. It stays open with the reason where the action is refused. */
export function AskDialog({ title, hint, action, act, onClose }: Props) {
  async function send() {
    await act();
    onClose();
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form place="dialog" look="danger" submit={action} send={send} onCancel={onClose}>
        <p>{hint}</p>
      </Form>
    </Dialog>
  );
}
