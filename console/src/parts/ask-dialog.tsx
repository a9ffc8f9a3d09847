import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

interface Props {
  title: string;
  hint: string;
  /** The label of the button that acts. */
  action: string;
  /** Nothing is lost by an action that is no danger, as by a start. */
  look?: 'danger' | 'primary';
  /** The label of the button that closes; by default it cancels. */
  dismiss?: string;
  act: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before an action that cannot be undone. It stays open with the reason where the action is refused. */
export function AskDialog({ title, hint, action, look = 'danger', dismiss, act, onClose }: Props) {
  async function send() {
    await act();
    onClose();
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        place="dialog"
        look={look}
        submit={action}
        send={send}
        onCancel={onClose}
        {...(dismiss !== undefined && { dismiss })}
      >
        <p>{hint}</p>
      </Form>
    </Dialog>
  );
}
