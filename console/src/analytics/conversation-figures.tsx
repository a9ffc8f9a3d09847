import type { ConversationAnalyticsRow } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { request } from '../live/request.ts';
import { Choice } from '../parts/choice.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Section } from '../parts/page.tsx';
import { t } from '../words/words.ts';
import { Chart } from './chart/chart.tsx';
import { type Column, Figures } from './chart/figures.tsx';
import { type DateRange, type Interval, intervalFor } from './date-range.ts';
import { formatCount, formatDuration, formatPeriod } from './format.ts';
import { type Grouping, groupings, useGroupNames } from './group-names.ts';
import styles from './range-bar.module.css';
import { isTime, type Measure, measures, seriesByGroup, toSeries } from './series-of-rows.ts';
import { useAddress } from './use-range.ts';

const intervals: readonly Interval[] = ['day', 'week', 'month'];

interface Props {
  workspace_id: string;
  range: DateRange;
}

/** New and closed conversations with their medians, by period and by group. */
export function ConversationFigures({ workspace_id, range }: Props) {
  const { values, change } = useAddress();
  const interval = intervals.find((one) => one === values.get('interval')) ?? intervalFor(range);
  const grouping = groupings.find((one) => one === values.get('group'));
  const search = new URLSearchParams({ ...range, interval, ...(grouping && { group_by: grouping }) });
  const path = `/workspaces/${workspace_id}/analytics/conversations?${search}`;
  const figures = useQuery({
    queryKey: [path],
    queryFn: async () => (await request<{ data: ConversationAnalyticsRow[] }>('GET', path)).data,
  });
  return (
    <Section title={t('analytics.conversations')}>
      <div className={styles.bar}>
        <Choice
          label={t('analytics.interval')}
          options={intervals.map((id) => ({ id, label: t(`analytics.interval_${id}`) }))}
          value={interval}
          onChange={(next) => change({ interval: next })}
        />
        <Choice
          label={t('analytics.group')}
          options={(['none', ...groupings] as const).map((id) => ({ id, label: t(`analytics.group_${id}`) }))}
          value={grouping ?? 'none'}
          onChange={(next) => change({ group: next === 'none' ? undefined : next })}
        />
      </div>
      <Loaded query={figures}>
        {(rows) =>
          grouping ? (
            <GroupedFigures key={grouping} workspace_id={workspace_id} grouping={grouping} rows={rows} />
          ) : (
            <WholeFigures rows={rows} />
          )
        }
      </Loaded>
    </Section>
  );
}

const formatOf = (measure: Measure) => (isTime(measure) ? formatDuration : formatCount);
const period: Column = { label: '' };

function columnsOf(shown: readonly Measure[]): Column[] {
  return [
    { ...period, label: t('analytics.period') },
    ...shown.map((measure) => ({ label: t(`analytics.${measure}`), isNumber: true })),
  ];
}

function cellOf(row: ConversationAnalyticsRow, measure: Measure) {
  const value = row[measure];
  // A file has seconds, which spreadsheets add up.
  return { text: value === undefined ? '–' : formatOf(measure)(value), csv: value === undefined ? '' : String(value) };
}

function periodCell({ period: name = '' }: ConversationAnalyticsRow) {
  return { text: formatPeriod(name), csv: name };
}

function WholeFigures({ rows }: { rows: readonly ConversationAnalyticsRow[] }) {
  const periods = rows.map((row) => formatPeriod(row.period ?? '', true));
  const halves = [
    { title: t('analytics.counts'), shown: ['new', 'closed'] },
    { title: t('analytics.times'), hint: t('analytics.times_hint'), shown: measures.filter(isTime) },
  ] satisfies { title: string; hint?: string; shown: Measure[] }[];
  return halves.map(({ shown, ...half }) => (
    <Figures
      key={half.title}
      {...half}
      file={half.title}
      chart={
        <Chart
          label={half.title}
          periods={periods}
          series={shown.map((measure) => ({ label: t(`analytics.${measure}`), values: toSeries(rows, measure) }))}
          format={formatOf(shown[0]!)}
          isWhole={!isTime(shown[0]!)}
        />
      }
      columns={columnsOf(shown)}
      rows={rows.toReversed().map((row) => ({
        key: row.period ?? '',
        cells: [periodCell(row), ...shown.map((measure) => cellOf(row, measure))],
      }))}
    />
  ));
}

interface GroupedProps {
  workspace_id: string;
  grouping: Grouping;
  rows: readonly ConversationAnalyticsRow[];
}

function GroupedFigures({ workspace_id, grouping, rows }: GroupedProps) {
  const { values, change } = useAddress();
  const names = useGroupNames(workspace_id, grouping);
  const measure = measures.find((one) => one === values.get('measure')) ?? 'new';
  const member = `${grouping}_id`;
  const idOf = (row: ConversationAnalyticsRow) => (row as Record<string, unknown>)[member] as string | undefined;
  const nameOf = (id: string | undefined) =>
    id === undefined ? t(`analytics.no_${grouping}`) : (names.get(id) ?? t('analytics.former'));
  const { periods, groups, left_out } = seriesByGroup(rows, idOf, measure);
  const title = t('analytics.by_group', { group: t(`analytics.group_${grouping}`) });
  const columns = columnsOf(measures);
  return (
    <Figures
      title={title}
      {...(left_out > 0 && { hint: t('analytics.left_out', { count: left_out }) })}
      file={title}
      controls={
        <Choice
          label={t('analytics.measure')}
          isLabelHidden
          options={measures.map((id) => ({ id, label: t(`analytics.${id}`) }))}
          value={measure}
          onChange={(next) => change({ measure: next === 'new' ? undefined : next })}
        />
      }
      chart={
        <Chart
          label={`${title}: ${t(`analytics.${measure}`)}`}
          periods={periods.map((name) => formatPeriod(name, true))}
          series={groups.map(({ id, values: of }) => ({ id: id ?? 'none', label: nameOf(id), values: of }))}
          format={formatOf(measure)}
          isWhole={!isTime(measure)}
        />
      }
      columns={[columns[0]!, { label: t(`analytics.group_${grouping}`) }, ...columns.slice(1)]}
      rows={rows.toReversed().map((row) => ({
        key: `${row.period} ${idOf(row)}`,
        cells: [periodCell(row), { text: nameOf(idOf(row)) }, ...measures.map((one) => cellOf(row, one))],
      }))}
    />
  );
}
