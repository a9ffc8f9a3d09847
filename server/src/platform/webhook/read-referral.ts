import type { JsonObject } from '../json-object.ts';
import { isObject, readMember } from '../read-json.ts';

/** The advertisement or post, or the product, from which the customer wrote, as the platform describes it. */
export function readReferral(raw: unknown): JsonObject | undefined {
  const referral = readMember(raw, 'referral') ?? readMember(readMember(raw, 'context'), 'referred_product');
  return isObject(referral) ? referral : undefined;
}
