import { useState } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import { momentOfWallTime, wallTimeAt } from '../conversation/header/snooze-times.ts';
import { serverNow } from '../live/session.ts';
import { Field } from '../parts/field.tsx';
import { t } from '../words/words.ts';
import styles from './broadcasts.module.css';

const two = (value: number) => String(value).padStart(2, '0');

export interface StartChoice {
  isLater: boolean;
  setLater: (isLater: boolean) => void;
  text: string;
  setText: (text: string) => void;
  /** Undefined for now. */
  moment: string | undefined;
  faultOf: () => string | undefined;
}

/** Now, or a time by the clocks of the workspace. */
export function useStartTime(timeZone: string): StartChoice {
  const [isLater, setLater] = useState(false);
  const [typed, setText] = useState<string>();
  const { year, month, day } = wallTimeAt(serverNow() + 86_400_000, timeZone);
  const text = typed ?? `${year}-${two(month)}-${two(day)}T09:00`;
  const [, ...numbers] = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+)/.exec(text) ?? [];
  const [y, mo, d, hour, minute] = numbers.map(Number);
  const at =
    minute === undefined
      ? undefined
      : momentOfWallTime({ year: y!, month: mo!, day: d!, hour: hour!, minute }, timeZone);
  return {
    isLater,
    setLater,
    text,
    setText,
    moment: isLater && at !== undefined ? new Date(at).toISOString() : undefined,
    faultOf() {
      if (!isLater) return undefined;
      if (at === undefined) return t('broadcasts.fault_time');
      return at <= serverNow() ? t('broadcasts.fault_past') : undefined;
    },
  };
}

export function StartTime({
  start,
  timeZone,
  fault,
}: {
  start: StartChoice;
  timeZone: string;
  fault: string | undefined;
}) {
  return (
    <div className={styles.group}>
      <RadioGroup
        className={styles.kinds!}
        value={start.isLater ? 'later' : 'now'}
        onChange={(value) => start.setLater(value === 'later')}
      >
        <Label className={styles.groupTitle!}>{t('broadcasts.when')}</Label>
        <div className={styles.kindList}>
          <Radio value="now" className={styles.kind!}>
            {t('broadcasts.now')}
          </Radio>
          <Radio value="later" className={styles.kind!}>
            {t('broadcasts.later')}
          </Radio>
        </div>
      </RadioGroup>
      {start.isLater && (
        <Field
          name="send_at"
          type="datetime-local"
          label={t('broadcasts.start_at')}
          hint={t('broadcasts.zone', { zone: `\u2066${timeZone}\u2069` })}
          value={start.text}
          onChange={start.setText}
          isInvalid={fault !== undefined}
          ltr
        />
      )}
      {fault !== undefined && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
