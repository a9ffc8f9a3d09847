import type { MessagingTier } from './number.ts';

/**
 * Reads how many new customers a number may write to in 24 hours: `TIER_2K`, `TIER_UNLIMITED`, `2000`, `"2000"`, or -1 for
 * no limit (sections 9, 10). `undefined` for any other value.
 */
export function readMessagingTier(value: unknown): MessagingTier | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).toUpperCase();
  if (text === 'TIER_UNLIMITED' || text === '-1') return { messaging_tier: null, unlimited: true };
  const digits = /^(?:TIER_)?(\d{1,9})(K?)$/.exec(text);
  if (!digits) return undefined;
  return { messaging_tier: Number(digits[1]) * (digits[2] ? 1000 : 1), unlimited: false };
}
