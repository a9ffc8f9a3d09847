import type { Fees } from '@majlis/console-api';
import type { Wallet } from '@majlis/contract';
import { Notice } from '../../parts/notice.tsx';
import { currentLocale, t } from '../../words/words.ts';
import styles from './billing.module.css';
import { daysLeft, formatMoney } from './money.ts';

interface Props {
  wallet: Wallet;
  /** The fees of the last days; undefined until they are read. */
  pace: Fees | undefined;
  days: number;
}

const fewDays = 7;
/** Beyond, a number of days would only seem exact. */
const manyDays = 365;

/** The balance, and in words how long it lasts. */
export function Balance({ wallet: { balance_minor, currency }, pace, days }: Props) {
  const spent = pace?.data.reduce((sum, { amount_minor }) => sum + amount_minor, 0) ?? 0;
  const left = daysLeft(balance_minor, spent, days);
  const isUsedUp = balance_minor <= 0 && (spent > 0 || balance_minor < 0);
  const isLow = !isUsedUp && left !== undefined && left < fewDays;
  return (
    <>
      <dl className={styles.balance}>
        <div>
          <dt>{t('billing.balance')}</dt>
          <dd>
            <bdi>{formatMoney(balance_minor, currency, currentLocale())}</bdi>
          </dd>
        </div>
        {pace && (
          <div>
            <dt>{t('billing.spent', { days })}</dt>
            <dd>
              <bdi>{formatMoney(spent, currency, currentLocale())}</bdi>
            </dd>
          </div>
        )}
      </dl>
      {isUsedUp && <Notice kind="danger">{t('billing.used_up')}</Notice>}
      {isLow && <Notice kind="danger">{t('billing.low', { count: left })}</Notice>}
      {pace && !isUsedUp && !isLow && (
        <p className={styles.soft}>
          {left === undefined && t('billing.no_pace', { days })}
          {left !== undefined && (left > manyDays ? t('billing.lasts_long') : t('billing.lasts', { count: left }))}
        </p>
      )}
      {currency === undefined && <Notice>{t('billing.no_wallet')}</Notice>}
    </>
  );
}
