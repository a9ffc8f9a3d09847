import { Plus, X } from 'lucide-react';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Soft } from '../../parts/list.tsx';
import { t } from '../../words/words.ts';
import styles from './workspace.module.css';

export interface ClosedDay {
  /** Tells rows apart while their dates change. */
  key: number;
  date: string;
  name: string;
}

interface Props {
  days: readonly ClosedDay[];
  onChange: (days: ClosedDay[]) => void;
}

/** The dates on which nobody answers, whatever weekday they are. */
export function ClosedDays({ days, onChange }: Props) {
  const change = (index: number, day: ClosedDay) => onChange(days.with(index, day));
  const next = days.reduce((most, { key }) => Math.max(most, key + 1), 0);
  return (
    <fieldset>
      <legend>{t('hours.closed_days')}</legend>
      <Soft>{t('hours.closed_days_hint')}</Soft>
      {days.map((day, index) => (
        <div key={day.key} className={styles.span}>
          <Field
            label={t('hours.date')}
            name={`hours/closed_days/${index}/date`}
            type="date"
            ltr
            isRequired
            value={day.date}
            onChange={(date) => change(index, { ...day, date })}
          />
          <Field
            label={t('hours.reason')}
            name={`hours/closed_days/${index}/name`}
            value={day.name}
            onChange={(name) => change(index, { ...day, name })}
          />
          <Button
            look="quiet"
            aria-label={t('hours.remove_day', { date: `\u2066${day.date}\u2069` })}
            onPress={() => onChange(days.toSpliced(index, 1))}
          >
            <X size={16} aria-hidden />
          </Button>
        </div>
      ))}
      <div>
        <Button onPress={() => onChange([...days, { key: next, date: '', name: '' }])}>
          <Plus size={16} aria-hidden />
          {t('hours.add_day')}
        </Button>
      </div>
    </fieldset>
  );
}
