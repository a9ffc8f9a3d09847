import { momentOf } from '../../database/moment-of.ts';

// The zone stands behind the time: at the end of `11-30-2030` stands a year.
const timeWithZone = /\d:\d\d(:\d\d(\.\d+)?)? ?(Z|[+-]\d\d:?\d\d)$/;

/**
 * The moment of a text that a customer or another system may have written. Without a time and its zone, the text would mean
 * another moment on another machine. JavaScript reads February 30 as a day of March.
 */
export function readZonedMoment(text: string): Date | undefined {
  const [date] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  if (!timeWithZone.test(text) || (date !== undefined && !isRealDate(date))) return undefined;
  return momentOf(text);
}

function isRealDate(date: string): boolean {
  return momentOf(`${date}T00:00:00Z`)?.toISOString().startsWith(date) === true;
}
