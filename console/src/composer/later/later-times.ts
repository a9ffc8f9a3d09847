import { momentOfText, momentOfWallTime, wallTimeAt } from '../../words/wall-time.ts';

export type LaterChoice = 'hour' | 'evening' | 'opening' | 'tomorrow';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const eveningHour = 18;
const morningHour = 9;

interface Place {
  timezone: string;
  /** When a closed business opens again, by its clocks: `2026-11-26T09:00`. */
  opens?: string | undefined;
}

/** The moments that the menu offers, in their order. Two choices of one moment are one. */
export function laterMoments(now: number, { timezone, opens }: Place): { choice: LaterChoice; at: number }[] {
  const { year, month, day } = wallTimeAt(now, timezone);
  const at = (days: number, hour: number) =>
    momentOfWallTime({ year, month, day: day + days, hour, minute: 0 }, timezone);
  const opening = opens === undefined ? undefined : momentOfText(opens, timezone);
  const all: { choice: LaterChoice; at: number | undefined }[] = [
    { choice: 'hour', at: Math.ceil((now + hourMs) / minuteMs) * minuteMs },
    { choice: 'evening', at: at(0, eveningHour) },
    { choice: 'opening', at: opening },
    { choice: 'tomorrow', at: at(1, morningHour) },
  ];
  const seen = new Set<number>();
  return all
    .flatMap((one) => (one.at === undefined || one.at <= now ? [] : [{ ...one, at: one.at }]))
    .filter((one) => one.choice === 'hour' || one.choice === 'opening' || one.at > now + hourMs)
    .filter((one) => !seen.has(one.at) && seen.add(one.at))
    .sort((a, b) => a.at - b.at);
}
