import type { ChannelCheck } from '@majlis/console-api';
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import { t } from '../../words/words.ts';
import styles from './channels.module.css';

const icons = { passed: CircleCheck, failed: CircleAlert, skipped: CircleDashed };

/** What the platform says of each value, with its reason. */
export function CheckList({ check: { checks } }: { check: ChannelCheck }) {
  return (
    <ul className={styles.checks} aria-label={t('channels.checks')}>
      {checks.map(({ name, state, detail }) => {
        const Icon = icons[state];
        return (
          <li key={name} className={styles.check} data-state={state}>
            <Icon size={18} aria-hidden />
            <span>{t(`channels.check_${name}`)}</span>
            <small>{t(`channels.check_${state}`)}</small>
            {state === 'failed' && name === 'account' && !detail && (
              <p className={styles.detail}>{t('channels.account_lacks_number')}</p>
            )}
            {state === 'failed' && name === 'subscription' && !detail && (
              <p className={styles.detail}>{t('channels.not_subscribed')}</p>
            )}
            {detail && (
              <p className={styles.detail} dir="ltr">
                {detail}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
