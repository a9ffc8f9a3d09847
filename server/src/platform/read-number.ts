import { readMessagingTier } from './messaging-tier.ts';
import type { PlatformNumber } from './number.ts';
import { readMember, readText } from './read-json.ts';

/** The phone number resource of section 10. */
export function readNumber(value: unknown, phone_number_id: string): PlatformNumber {
  const number: PlatformNumber = { phone_number_id };
  const display_phone = readText(readMember(value, 'display_phone_number'))?.replace(/\D/g, '');
  if (display_phone) number.display_phone = display_phone;
  const verified_name = readText(readMember(value, 'verified_name'));
  if (verified_name) number.verified_name = verified_name;
  const quality =
    readText(readMember(value, 'quality_rating')) ?? readText(readMember(readMember(value, 'quality_score'), 'score'));
  if (quality) number.quality = quality;
  const status = readText(readMember(value, 'status'));
  if (status) number.status = status;
  const tier =
    readMessagingTier(readMember(value, 'whatsapp_business_manager_messaging_limit')) ??
    readMessagingTier(readMember(value, 'messaging_limit_tier'));
  if (tier) number.tier = tier;
  return number;
}
