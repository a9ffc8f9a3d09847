/**
 * The moment of a date-time. Undefined for a leap second, which JavaScript does not know, and for times outside the years 1 to
 * 9999 in UTC, whose JavaScript spelling PostgreSQL does not read.
 */
export function momentOf(text: string): Date | undefined {
  const moment = new Date(text);
  const year = moment.getUTCFullYear();
  return year >= 1 && year <= 9999 ? moment : undefined;
}
