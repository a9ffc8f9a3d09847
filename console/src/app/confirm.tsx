import { Failure, request } from '../live/request.ts';
import { createStore, useStore } from '../live/store.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { PasswordField } from '../sign-in/fields.tsx';
import { t } from '../words/words.ts';

const waiting = createStore<((isConfirmed: boolean) => void) | undefined>(undefined);

/** Performs an action. Where the server wants a recent proof of identity, asks for it and performs the action again. */
export async function confirmed<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'confirmation_required') throw error;
    const isConfirmed = await new Promise<boolean>((resolve) => waiting.set(resolve));
    waiting.set(undefined);
    if (!isConfirmed) throw error;
    return act();
  }
}

export function ConfirmDialog() {
  const resolve = useStore(waiting);
  if (!resolve) return null;

  async function send(form: FormData) {
    await request('POST', '/confirm', { password: form.get('password') });
    resolve!(true);
  }
  const cancel = () => resolve(false);
  return (
    <Dialog title={t('confirm.title')} onClose={cancel}>
      <Form place="dialog" submit={t('confirm.submit')} send={send} onCancel={cancel}>
        <PasswordField hint={t('confirm.hint')} autoFocus />
      </Form>
    </Dialog>
  );
}
