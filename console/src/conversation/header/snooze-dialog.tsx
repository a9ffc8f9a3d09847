import type { ConversationState } from '@majlis/console-api';
import { useWorkspace } from '../../live/directory.ts';
import { Failure } from '../../live/request.ts';
import { serverNow } from '../../live/session.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { t } from '../../words/words.ts';
import { snooze, type Target } from './actions.ts';
import { momentOfWallTime, wallTimeAt } from './snooze-times.ts';

interface Props {
  target: Target;
  state: ConversationState | undefined;
  onClose: () => void;
}

const two = (value: number) => String(value).padStart(2, '0');

/** Snoozes until a time of the person's choice, by the clocks of the workspace. */
export function SnoozeDialog({ target, state, onClose }: Props) {
  const timeZone = useWorkspace(target.workspace_id)?.timezone ?? 'UTC';
  const { year, month, day } = wallTimeAt(serverNow() + 86_400_000, timeZone);
  async function send(form: FormData) {
    const [, ...numbers] = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+)/.exec(String(form.get('until'))) ?? [];
    const [y, mo, d, hour, minute] = numbers.map(Number);
    if (minute === undefined)
      throw new Failure('unprocessable_content', new Map([['until', t('panel.snooze_needed')]]));
    const until = momentOfWallTime({ year: y!, month: mo!, day: d!, hour: hour!, minute }, timeZone);
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
          defaultValue={`${year}-${two(month)}-${two(day)}T09:00`}
          ltr
        />
      </Form>
    </Dialog>
  );
}
