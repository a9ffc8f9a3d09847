import type { BroadcastPreview } from '@majlis/console-api';
import type { TemplateCategory } from '@majlis/contract';
import { categoryWords } from '../composer/template-list.tsx';
import { Section } from '../parts/page.tsx';
import { moneyText, numberText } from '../words/amounts.ts';
import { isolated } from '../words/isolated.ts';
import { currentLocale, t } from '../words/words.ts';
import styles from './broadcasts.module.css';
import { timeIn } from './time-in.ts';

/** What the broadcast costs at the operator's prices, and how fast the messaging tier lets it go. */
export function CostAndPace({ preview, timeZone }: { preview: BroadcastPreview; timeZone: string }) {
  return (
    <>
      <Section title={t('broadcasts.cost')}>
        <div className={styles.statement}>
          <Cost preview={preview} />
        </div>
      </Section>
      <Section title={t('broadcasts.pace')}>
        <div className={styles.statement}>
          <Pace preview={preview} timeZone={timeZone} />
        </div>
      </Section>
    </>
  );
}

function Cost({ preview: { cost, checked, total, more } }: { preview: BroadcastPreview }) {
  const { category, quote, balance_minor } = cost;
  const { charges, currency, in_allowance, in_free_time } = quote;
  const fees = charges.flatMap(({ fee_minor }) => fee_minor ?? []);
  const word = category !== undefined && categoryWords[category as TemplateCategory];
  const named = word ? t(word) : (category ?? '');
  if (charges.length > 0 && fees.length === 0) return <p>{t('broadcasts.cost_unknown', { category: named })}</p>;
  // Those who were not checked may all be reached, at the highest fee.
  const most = quote.total_minor + (total - checked) * Math.max(0, ...fees);
  const after = balance_minor === undefined ? undefined : balance_minor - most;
  return (
    <>
      <p>
        <strong className={styles.amount}>{t('broadcasts.cost_most', { amount: moneyText(most, currency) })}</strong>
        {more && ` ${t('broadcasts.cost_more')}`}
      </p>
      {charges.map(({ country, fee_minor, messages }) => (
        <p key={country ?? ''} className={styles.soft}>
          {fee_minor === undefined
            ? t('broadcasts.cost_unknown', { category: named })
            : t('broadcasts.cost_of', {
                count: messages,
                fee: moneyText(fee_minor, currency),
                category: named,
                place: country ? isolated(nameOfCountry(country)) : '',
              })}
        </p>
      ))}
      {in_allowance > 0 && <p className={styles.soft}>{t('broadcasts.cost_allowance', { count: in_allowance })}</p>}
      {in_free_time > 0 && <p className={styles.soft}>{t('broadcasts.cost_free_time', { count: in_free_time })}</p>}
      <p className={styles.soft}>{t('broadcasts.cost_open')}</p>
      {after !== undefined && (
        <p className={styles.soft}>
          {t('broadcasts.balance', { now: moneyText(balance_minor!, currency), after: moneyText(after, currency) })}
          {after < 0 && (
            <>
              {' '}
              <strong className={styles.failed}>{t('broadcasts.balance_negative')}</strong>
            </>
          )}
        </p>
      )}
    </>
  );
}

function nameOfCountry(code: string): string {
  return new Intl.DisplayNames(currentLocale(), { type: 'region' }).of(code) ?? code;
}

function Pace({ preview: { pace, new_customers }, timeZone }: { preview: BroadcastPreview; timeZone: string }) {
  const { messaging_tier, places = 0, next_at } = pace;
  if (messaging_tier === undefined || messaging_tier === null) return <p>{t('broadcasts.pace_unlimited')}</p>;
  const over = new_customers - places;
  return (
    <>
      <p>{t('broadcasts.pace_tier', { tier: numberText(messaging_tier), places: numberText(places) })}</p>
      {over <= 0 ? (
        <p className={styles.soft}>{t('broadcasts.pace_now')}</p>
      ) : (
        <p className={styles.soft}>
          {t('broadcasts.pace_wait', {
            count: over,
            days: messaging_tier === 0 ? 0 : Math.ceil(over / messaging_tier),
          })}{' '}
          {places === 0 && next_at && t('broadcasts.tier_next', { time: timeIn(next_at, timeZone) })}
        </p>
      )}
    </>
  );
}
