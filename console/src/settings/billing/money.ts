// Of ISO 4217. Browsers show some of these currencies with fewer digits than their minor units have.
const digitsOf: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
const digits = new Map(
  Object.entries(digitsOf).flatMap(([count, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(count)]),
  ),
);

/** How many digits of an amount in minor units stand behind the point. */
export function minorDigits(currency: string): number {
  return digits.get(currency.toUpperCase()) ?? 2;
}

/** The amount in units of the currency, such as `12.500` of 12500 baisa. */
export function toUnits(amount_minor: number, currency: string): string {
  return (amount_minor / 10 ** minorDigits(currency)).toFixed(minorDigits(currency));
}

/** The amount as people read it. Without a currency it stays in minor units. */
export function formatMoney(amount_minor: number, currency: string | undefined, locale: string): string {
  if (currency === undefined) return new Intl.NumberFormat(locale).format(amount_minor);
  const count = minorDigits(currency);
  const fraction = { minimumFractionDigits: count, maximumFractionDigits: count };
  const value = amount_minor / 10 ** count;
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code', ...fraction }).format(
      value,
    );
  } catch {
    return `${new Intl.NumberFormat(locale, fraction).format(value)} ${currency}`;
  }
}

/** How many whole days the balance lasts if fees go on like this; undefined without fees. */
export function daysLeft(balance_minor: number, spent_minor: number, days: number): number | undefined {
  if (spent_minor <= 0) return undefined;
  return Math.max(0, Math.floor((balance_minor * days) / spent_minor));
}
