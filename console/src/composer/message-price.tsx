import type { PriceQuote } from '@majlis/console-api';
import { Coins } from 'lucide-react';
import { moneyText } from '../words/amounts.ts';
import { t } from '../words/words.ts';
import styles from './composer.module.css';

/** What one message costs, before it is sent. Nothing where the operator has set no price. */
export function MessagePrice({ price }: { price: PriceQuote | undefined }) {
  const words = price && wordsOf(price);
  if (!words) return null;
  return (
    <p className={styles.window}>
      <Coins size={14} aria-hidden />
      {words}
    </p>
  );
}

function wordsOf({ in_free_time, in_allowance, charges, total_minor, currency }: PriceQuote): string | undefined {
  if (in_free_time > 0) return t('composer.price_free_time');
  if (in_allowance > 0) return t('composer.price_allowance');
  if (charges.every(({ fee_minor }) => fee_minor === undefined)) return undefined;
  return total_minor === 0
    ? t('composer.price_none')
    : t('composer.price', { amount: moneyText(total_minor, currency) });
}
