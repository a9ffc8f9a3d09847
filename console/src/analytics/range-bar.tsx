import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { t } from '../words/words.ts';
import { defaultPreset, presets } from './date-range.ts';
import styles from './range-bar.module.css';
import { type ChosenRange, useAddress } from './use-range.ts';

/** Chooses the days of a report: usual ranges, or any dates. */
export function RangeBar({ chosen: { preset, range, isValid, timezone } }: { chosen: ChosenRange }) {
  const { change } = useAddress();
  return (
    <>
      <div className={styles.bar}>
        <Choice
          label={t('analytics.range')}
          options={[...presets, 'custom' as const].map((id) => ({ id, label: t(`analytics.range_${id}`) }))}
          value={preset}
          onChange={(next) => {
            if (next === 'custom') change({ range: undefined, ...range });
            else change({ range: next === defaultPreset ? undefined : next, from: undefined, to: undefined });
          }}
        />
        {preset === 'custom' && (
          <>
            <Field
              label={t('analytics.from')}
              type="date"
              ltr
              value={range.from}
              onChange={(from) => change({ ...range, from })}
            />
            <Field
              label={t('analytics.to')}
              type="date"
              ltr
              value={range.to}
              onChange={(to) => change({ ...range, to })}
            />
          </>
        )}
        <p className={styles.zone}>
          {t('analytics.zone')} <bdi dir="ltr">{timezone.replaceAll('_', ' ')}</bdi>
        </p>
      </div>
      {!isValid && <Notice kind="danger">{t('analytics.range_invalid')}</Notice>}
    </>
  );
}
