import { Failure } from '../../live/request.ts';
import { serverNow } from '../../live/session.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { momentOfText, textOfMoment } from '../../words/wall-time.ts';
import { t } from '../../words/words.ts';
import { snooze, type Target } from './actions.ts';
import { useSnoozeMoments } from './use-snooze-moments.ts';

const dayMs = 86_400_000;

interface Props {
  target: Target;
  onClose: () => void;
}

/** Snoozes until a time of the person's choice, by the clocks of the workspace. */
export function SnoozeDialog({ target, onClose }: Props) {
  const { timezone: timeZone, read } = useSnoozeMoments(target.workspace_id);
  // The next opening; what is further away is chosen by hand.
  const proposed = read()?.find(({ choice }) => choice !== 'later_today')?.until ?? serverNow() + dayMs;
  async function send(form: FormData) {
    const until = momentOfText(String(form.get('until')), timeZone);
    if (until === undefined) throw new Failure('unprocessable_content', new Map([['until', t('panel.snooze_needed')]]));
    if (until <= serverNow()) {
      throw new Failure('unprocessable_content', new Map([['until', t('panel.snooze_past')]]));
    }
    onClose();
    await snooze(target, until, timeZone);
  }
  return (
    <Dialog title={t('panel.snooze_own')} onClose={onClose}>
      <Form place="dialog" submit={t('panel.snooze')} send={send} onCancel={onClose}>
        <Field
          name="until"
          type="datetime-local"
          label={t('panel.snooze_until')}
          hint={t('panel.snooze_zone', { zone: `\u2066${timeZone}\u2069` })}
          defaultValue={textOfMoment(proposed, timeZone)}
          ltr
        />
      </Form>
    </Dialog>
  );
}
