/** Reads seconds since 1970: text in messages and statuses, an integer elsewhere. */
export function readTimestamp(value: unknown): Date | undefined {
  const seconds = typeof value === 'string' && /^\d{1,11}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds)) return undefined;
  return seconds > 0 && seconds < 100_000_000_000 ? new Date(seconds * 1000) : undefined;
}
