const second = 1;
const minute = 60;
const hour = 3_600;
const day = 86_400;
const mebibyte = 1_048_576;

/** Requests admitted in any interval of the given length, per workspace over all its keys. */
export const rateLimits = {
  requests: { max: 600, interval_seconds: minute },
  sends: { max: 50, interval_seconds: second },
  imports: { max: 10, interval_seconds: minute },
  broadcasts: { max: 10, interval_seconds: hour },
  analytics: { max: 60, interval_seconds: minute },
} as const;

export type RateLimitName = keyof typeof rateLimits;

/** The limits of which a refused request uses up nothing. Of the others, each request but a 429 counts. */
export const limitsOfAccepted: readonly RateLimitName[] = ['broadcasts'];

/** A limit in words: `10 new broadcasts an hour`. */
export function describeLimit(name: RateLimitName): string {
  const { max, interval_seconds } = rateLimits[name];
  return `${max} ${countedNouns[name]} ${intervals[interval_seconds]}`;
}

const countedNouns = {
  requests: 'requests of any kind',
  sends: 'sends',
  imports: 'imports',
  broadcasts: 'new broadcasts',
  analytics: 'analytics requests',
};

const intervals = { [second]: 'a second', [minute]: 'a minute', [hour]: 'an hour' } as Record<number, string>;

/** The other figures that the contract states. Limits that the contract leaves open are settings of the operator. */
export const limits = {
  rate: rateLimits,
  import_contacts: 1_000,
  broadcast_recipients: 10_000,
  window_seconds: 24 * hour,
  idempotency_key_seconds: 24 * hour,
  template_name_block_seconds: 30 * day,
  media_bytes: {
    image: 5 * mebibyte,
    video: 16 * mebibyte,
    audio: 16 * mebibyte,
    document: 100 * mebibyte,
  },
  webhook: {
    timeout_seconds: 10 * second,
    /** The delays before the second and later attempts, each from the attempt before. */
    retry_delays_seconds: [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour],
    signature_tolerance_seconds: 5 * minute,
    delivery_history_seconds: 30 * day,
    disable_after_seconds: 3 * day,
  },
  /** Customers that a number may write to in 24 hours outside the 24-hour window, by tier. */
  messaging_tiers: [1_000, 10_000, 100_000, 'unlimited'],
} as const;
