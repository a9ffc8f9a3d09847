import type { ConversationState } from '@majlis/console-api';
import { useWorkspace } from '../../live/directory.ts';
import { Failure } from '../../live/request.ts';
import { serverNow } from '../../live/session.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { t } from '../../words/words.ts';
import { snooze, type Target } from './actions.ts';
import { momentOfText, textOfMoment } from './snooze-times.ts';

interface Props {
  target: Target;
  state: ConversationState | undefined;
  onClose: () => void;
}

/** Snoozes until a time of the person's choice, by the clocks of the workspace. */
export function SnoozeDialog({ target, state, onClose }: Props) {
  const timeZone = useWorkspace(target.workspace_id)?.timezone ?? 'UTC';
  const tomorrow = textOfMoment(serverNow() + 86_400_000, timeZone).slice(0, 10);
  async function send(form: FormData) {
    const until = momentOfText(String(form.get('until')), timeZone);
    if (until === undefined) throw new Failure('unprocessable_content', new Map([['until', t('panel.snooze_needed')]]));
    if (until <= serverNow()) {
      throw new Failure('unprocessable_content', new Map([['until', t('panel.snooze_past')]]));
    }
    onClose();
    await snooze(target, until, state?.snoozed_until, timeZone);
  }
  return (
    <Dialog title={t('panel.snooze_own')} onClose={onClose}>
      <Form place="dialog" submit={t('panel.snooze')} send={send} onCancel={onClose}>
        <Field
          name="until"
          type="datetime-local"
          label={t('panel.snooze_until')}
          hint={t('panel.snooze_zone', { zone: `\u2066${timeZone}\u2069` })}
          defaultValue={`${tomorrow}T09:00`}
          ltr
        />
      </Form>
    </Dialog>
  );
}
