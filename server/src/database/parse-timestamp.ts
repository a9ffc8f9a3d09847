/**
 * A timestamp as PostgreSQL writes it in a session that runs in UTC, `2026-11-20 10:00:00.123+00`, to the millisecond.
 * Field by field: a third of the time that `new Date(text)` takes, and a page of a list has eighty of them.
 */
export function parseTimestamp(text: string): Date {
  const two = (at: number) => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
  const year = two(0) * 100 + two(2);
  // `Date.UTC` takes 26 for 1926; and a year may have more digits than four.
  if (year < 100 || text[4] !== '-') return new Date(`${text.replace(' ', 'T')}:00`);
  const milliseconds = text[19] === '.' ? Number.parseInt(text.slice(20, -3).padEnd(3, '0').slice(0, 3), 10) : 0;
  return new Date(Date.UTC(year, two(5) - 1, two(8), two(11), two(14), two(17), milliseconds));
}
