import type { BusinessHours, HoursSpan } from '@majlis/console-api';
import { Plus, X } from 'lucide-react';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Soft } from '../../parts/list.tsx';
import { currentLocale, t } from '../../words/words.ts';
import styles from './workspace.module.css';

type Weekly = BusinessHours['weekly'];

const workday = [{ from: '09:00', until: '17:00' }];
/** A usual week, from Sunday to Saturday, for people to change. */
export const usualWeek: Weekly = [workday, workday, workday, workday, workday, [], []];

/** The name of a day, counted from Sunday. 4 January 1970 was a Sunday. */
function dayName(day: number): string {
  const format = new Intl.DateTimeFormat(currentLocale(), { weekday: 'long', timeZone: 'UTC' });
  return format.format(new Date(Date.UTC(1970, 0, 4 + day)));
}

/** What follows the last span of a day, or a usual day. */
function nextSpan(spans: readonly HoursSpan[]): HoursSpan {
  const last = spans.at(-1);
  if (!last) return { from: '09:00', until: '17:00' };
  return last.until < '16:00' && last.until !== '00:00'
    ? { from: '16:00', until: '20:00' }
    : { from: last.until, until: '00:00' };
}

interface Props {
  weekly: Weekly;
  /** What a day without spans is called. */
  closed?: string;
  onChange: (weekly: Weekly) => void;
}

/** The spans of each weekday. A day without any is closed, or off for a person. */
export function WeeklyHours({ weekly, closed = t('hours.closed'), onChange }: Props) {
  const change = (day: number, spans: HoursSpan[]) => onChange(weekly.map((one, at) => (at === day ? spans : one)));
  return (
    <div className={styles.week}>
      {weekly.map((spans, day) => {
        const name = dayName(day);
        return (
          // biome-ignore lint/a11y/useSemanticElements: the name of a fieldset cannot stand beside its fields
          <div key={name} role="group" aria-label={name} className={styles.day}>
            <span className={styles.dayName} aria-hidden>
              {name}
            </span>
            <div className={styles.spans}>
              {spans.length === 0 && <span className={styles.closed}>{closed}</span>}
              {spans.map((span, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a span has no name but its place
                <div key={index} className={styles.span}>
                  <Field
                    label={t('hours.from')}
                    aria-label={t('hours.from_of', { day: name })}
                    name={`hours/weekly/${day}/${index}/from`}
                    type="time"
                    ltr
                    isRequired
                    value={span.from}
                    onChange={(from) => change(day, spans.with(index, { ...span, from }))}
                  />
                  <Field
                    label={t('hours.until')}
                    aria-label={t('hours.until_of', { day: name })}
                    name={`hours/weekly/${day}/${index}/until`}
                    type="time"
                    ltr
                    isRequired
                    value={span.until}
                    onChange={(until) => change(day, spans.with(index, { ...span, until }))}
                  />
                  <Button
                    look="quiet"
                    aria-label={t('hours.remove_span_of', { day: name })}
                    onPress={() => change(day, spans.toSpliced(index, 1))}
                  >
                    <X size={16} aria-hidden />
                  </Button>
                </div>
              ))}
              <Button
                look="quiet"
                aria-label={t('hours.add_span_of', { day: name })}
                onPress={() => change(day, [...spans, nextSpan(spans)])}
              >
                <Plus size={16} aria-hidden />
                {t('hours.add_span')}
              </Button>
            </div>
          </div>
        );
      })}
      <Soft>{t('hours.midnight_hint')}</Soft>
    </div>
  );
}
