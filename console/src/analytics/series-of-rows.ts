import type { ConversationAnalyticsRow } from '@majlis/contract';
import { mostSeries } from './chart/series.ts';

export const measures = ['new', 'closed', 'first_response_p50_seconds', 'resolution_p50_seconds'] as const;
export type Measure = (typeof measures)[number];

export function isTime(measure: Measure): boolean {
  return measure.endsWith('_seconds');
}

/** A median of nothing is no point of the line. */
export function toSeries(rows: readonly ConversationAnalyticsRow[], measure: Measure): (number | null)[] {
  return rows.map((row) => row[measure] ?? null);
}

export interface GroupSeries {
  id: string | undefined;
  values: (number | null)[];
}

/** A line for each group with the most conversations, over the periods in which anything happened. */
export function seriesByGroup(
  rows: readonly ConversationAnalyticsRow[],
  idOf: (row: ConversationAnalyticsRow) => string | undefined,
  measure: Measure,
): { periods: string[]; groups: GroupSeries[]; left_out: number } {
  const periods = [...new Set(rows.map(({ period = '' }) => period))];
  const byGroup = Map.groupBy(rows, idOf);
  const weights = new Map([...byGroup].map(([id, of]) => [id, of.reduce((sum, row) => sum + weightOf(row), 0)]));
  const ids = [...byGroup.keys()].sort((a, b) => weights.get(b)! - weights.get(a)!);
  const groups = ids.slice(0, mostSeries).map((id) => {
    const byPeriod = new Map(byGroup.get(id)!.map((row) => [row.period, row]));
    return { id, values: periods.map((period) => byPeriod.get(period)?.[measure] ?? (isTime(measure) ? null : 0)) };
  });
  return { periods, groups, left_out: ids.length - groups.length };
}

function weightOf({ new: begun = 0, closed = 0 }: ConversationAnalyticsRow): number {
  return begun + closed;
}
