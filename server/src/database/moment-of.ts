/**
 * The moment of a date-time, where it is one that can be stored: a leap second is none to JavaScript, and with its offset
 * the last hours of the year 9999 are in one that PostgreSQL does not read as JavaScript writes it.
 */
export function momentOf(text: string): Date | undefined {
  const moment = new Date(text);
  return moment.getUTCFullYear() <= 9999 ? moment : undefined;
}
