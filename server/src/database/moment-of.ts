/**
 * The moment of a date-time. Undefined for a leap second, which JavaScript does not know, and for times beyond the year 9999 in
 * UTC, whose JavaScript spelling PostgreSQL does not read.
 */
export function momentOf(text: string): Date | undefined {
  const moment = new Date(text);
  return moment.getUTCFullYear() <= 9999 ? moment : undefined;
}
