const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** Reads seconds since 1970: text in messages and statuses, an integer elsewhere. Milliseconds and ISO 8601 are understood too. */
export function readTimestamp(value: unknown): Date | undefined {
  if (typeof value === 'string' && zoned.test(value)) return readMilliseconds(Date.parse(value));
  const count = typeof value === 'string' && /^\d{1,14}$/.test(value) ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isSafeInteger(count)) return undefined;
  // As seconds, the least of these is in the year 5138; as milliseconds, in 1973.
  return readMilliseconds(count < 100_000_000_000 ? count * 1000 : count);
}

function readMilliseconds(ms: number): Date | undefined {
  return ms > 0 && ms < 100_000_000_000_000 ? new Date(ms) : undefined;
}

/** By how much the clocks of the platform and of this service may differ. */
export const clocksDifferMs = 3_600_000;

interface Received {
  received_at?: Date | undefined;
}

/** The same, unless it is later than clocks may differ. Then it tells no time. */
export function readPastTimestamp(value: unknown, { received_at }: Received): Date | undefined {
  const at = readTimestamp(value);
  const isAhead =
    at !== undefined && received_at !== undefined && at.getTime() > received_at.getTime() + clocksDifferMs;
  return isAhead ? undefined : at;
}

/** The time of what somebody said or did, which must not be lost: where the platform tells none, that of its receipt. */
export function readMoment(value: unknown, received: Received): Date | undefined {
  return readPastTimestamp(value, received) ?? received.received_at;
}
