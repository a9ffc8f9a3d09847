import { isolated } from './isolated.ts';
import { currentLocale } from './words.ts';

export const numberText = (value: number) => new Intl.NumberFormat(currentLocale()).format(value);

/** An amount of the minor unit; a currency knows how many of them make a whole. */
export function moneyText(minor: number, currency: string | undefined): string {
  if (currency === undefined) return numberText(minor);
  const options = { style: 'currency', currency, currencyDisplay: 'code' } as const;
  try {
    const digits = new Intl.NumberFormat('en', options).resolvedOptions().maximumFractionDigits ?? 2;
    return isolated(new Intl.NumberFormat(currentLocale(), options).format(minor / 10 ** digits));
  } catch {
    // An operator may have a unit that is no currency.
    return `\u2068${numberText(minor)} ${currency}\u2069`;
  }
}
