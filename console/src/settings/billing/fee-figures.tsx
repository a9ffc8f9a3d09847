import type { Fees } from '@majlis/console-api';
import { Coins } from 'lucide-react';
import { Chart } from '../../analytics/chart/chart.tsx';
import { Figures } from '../../analytics/chart/figures.tsx';
import { mostSeries } from '../../analytics/chart/series.ts';
import { addDays, countDays, type DateRange } from '../../analytics/date-range.ts';
import { formatCount, formatDay, formatPeriod } from '../../analytics/format.ts';
import { Empty } from '../../parts/empty.tsx';
import { currentLocale, fullTime, isWord, t } from '../../words/words.ts';
import { formatMoney, minorDigits, toUnits } from './money.ts';

interface Props {
  fees: Fees;
  range: DateRange;
  currency: string | undefined;
}

/** Fees by day and by category, and what the operator changed. */
export function FeeFigures({ fees: { data, adjustments }, range, currency }: Props) {
  const money = (minor: number) => ({
    text: formatMoney(minor, currency, currentLocale()),
    csv: currency === undefined ? String(minor) : toUnits(minor, currency),
  });
  const amount = { label: t('billing.amount'), isNumber: true };
  const conversations = { label: t('billing.conversations'), isNumber: true };
  return (
    <>
      {data.length === 0 ? (
        <Empty icon={<Coins aria-hidden />} title={t('billing.no_fees')} />
      ) : (
        <>
          <Figures
            title={t('billing.by_category')}
            file={t('billing.by_category')}
            columns={[{ label: t('billing.category') }, conversations, amount]}
            rows={sumByCategory(data).map(({ category, count, amount_minor, share }) => ({
              key: category,
              cells: [
                { text: categoryName(category), csv: category },
                { text: formatCount(count), csv: String(count) },
                { ...money(amount_minor), share },
              ],
            }))}
          />
          <Figures
            title={t('billing.by_day')}
            file={t('billing.by_day')}
            chart={<FeeChart data={data} range={range} currency={currency} />}
            columns={[{ label: t('billing.day') }, { label: t('billing.category') }, conversations, amount]}
            rows={data.toReversed().map(({ date, category, conversations: count, amount_minor }) => ({
              key: `${date} ${category}`,
              cells: [
                { text: formatDay(date), csv: date },
                { text: categoryName(category), csv: category },
                { text: formatCount(count), csv: String(count) },
                money(amount_minor),
              ],
            }))}
          />
        </>
      )}
      {adjustments.length > 0 && (
        <Figures
          title={t('billing.adjustments')}
          hint={t('billing.adjustments_hint')}
          file={t('billing.adjustments')}
          columns={[{ label: t('billing.time') }, amount]}
          rows={adjustments.map(({ at, amount_minor }) => ({
            key: at,
            cells: [{ text: fullTime(at), csv: at }, money(amount_minor)],
          }))}
        />
      )}
    </>
  );
}

// More points than pixels say nothing.
const mostDays = 800;

function FeeChart({ data, range, currency }: Pick<Fees, 'data'> & Omit<Props, 'fees'>) {
  const count = Math.min(countDays(range), mostDays);
  const days = Array.from({ length: count }, (_, index) => addDays(range.to, index - count + 1));
  const byDay = new Map(data.map(({ date, category, amount_minor }) => [`${date} ${category}`, amount_minor]));
  const scale = 10 ** minorDigits(currency ?? '');
  const categories = sumByCategory(data).slice(0, mostSeries);
  return (
    <Chart
      label={t('billing.by_day')}
      periods={days.map((day) => formatPeriod(day))}
      series={categories.map(({ category }) => ({
        id: category,
        label: categoryName(category),
        values: days.map((day) => (byDay.get(`${day} ${category}`) ?? 0) / scale),
      }))}
      format={(value) => new Intl.NumberFormat(currentLocale(), { maximumFractionDigits: 3 }).format(value)}
    />
  );
}

function sumByCategory(data: Fees['data']) {
  const sums = new Map<string, { count: number; amount_minor: number }>();
  for (const { category, conversations, amount_minor } of data) {
    const sum = sums.get(category) ?? { count: 0, amount_minor: 0 };
    sums.set(category, { count: sum.count + conversations, amount_minor: sum.amount_minor + amount_minor });
  }
  const rows = [...sums].map(([category, sum]) => ({ category, ...sum }));
  const most = Math.max(1, ...rows.map(({ amount_minor }) => amount_minor));
  return rows
    .map((row) => ({ ...row, share: row.amount_minor / most }))
    .sort((a, b) => b.amount_minor - a.amount_minor || b.count - a.count);
}

/** The platform may have categories that the console does not know. */
export function categoryName(category: string): string {
  const id = `billing.category_${category}`;
  return isWord(id) ? t(id) : category;
}
