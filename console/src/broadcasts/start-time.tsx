import { useState } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import { serverNow } from '../live/session.ts';
import { Field } from '../parts/field.tsx';
import { momentOfText, textOfMoment } from '../words/wall-time.ts';
import { t } from '../words/words.ts';
import styles from './broadcasts.module.css';

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
  const tomorrow = textOfMoment(serverNow() + 86_400_000, timeZone).slice(0, 10);
  const text = typed ?? `${tomorrow}T09:00`;
  const at = momentOfText(text, timeZone);
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
