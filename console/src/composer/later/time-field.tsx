import { mostDaysAhead } from '@majlis/console-api';
import { Failure } from '../../live/request.ts';
import { serverNow } from '../../live/session.ts';
import { Field } from '../../parts/field.tsx';
import { momentOfText } from '../../words/wall-time.ts';
import { t } from '../../words/words.ts';

interface Props {
  timeZone: string;
  value: string;
  onChange: (value: string) => void;
}

/** When a message is sent, by the clocks of the workspace. */
export function TimeField({ timeZone, value, onChange }: Props) {
  return (
    <Field
      name="send_at"
      type="datetime-local"
      label={t('scheduled.time')}
      hint={t('panel.snooze_zone', { zone: `\u2066${timeZone}\u2069` })}
      value={value}
      onChange={onChange}
      ltr
    />
  );
}

/** The moment of the field. Throws the fault that the form shows beside it. */
export function readTime(text: string, timeZone: string): number {
  const at = momentOfText(text, timeZone);
  const fault = (sentence: string) => new Failure('unprocessable_content', new Map([['send_at', sentence]]));
  if (at === undefined) throw fault(t('panel.snooze_needed'));
  if (at <= serverNow()) throw fault(t('panel.snooze_past'));
  if (at > serverNow() + mostDaysAhead * 86_400_000) throw fault(t('scheduled.too_far', { days: mostDaysAhead }));
  return at;
}
