import type {
  AccountItem,
  BusinessUsernameItem,
  CapabilityItem,
  NumberNameItem,
  NumberQualityItem,
  VolumeTierItem,
} from '../account-items.ts';
import type { JsonObject } from '../json-object.ts';
import { readMessagingTier } from '../messaging-tier.ts';
import type { AccountOrigin } from '../origin.ts';
import { readMember, readText } from '../read-json.ts';
import { readPastTimestamp } from '../read-timestamp.ts';
import { readVisible } from '../read-visible.ts';

// Webhooks about numbers and accounts (section 9).

/** The platform retires `current_limit`, so the portfolio's limit is read first. */
export function readNumberQuality(value: JsonObject, origin: AccountOrigin): NumberQualityItem | string {
  const display_phone = readDisplayPhone(value);
  if (display_phone === undefined) return 'number without display_phone_number';
  const event = readText(value.event);
  const tier = readMessagingTier(value.max_daily_conversations_per_business) ?? readMessagingTier(value.current_limit);
  return { type: 'number_quality', ...origin, display_phone, ...(event ? { event } : {}), ...(tier ? { tier } : {}) };
}

export function readNumberName(value: JsonObject, origin: AccountOrigin): NumberNameItem | string {
  const display_phone = readDisplayPhone(value);
  const decision = readText(value.decision);
  if (display_phone === undefined || decision === undefined) return 'number name without number or decision';
  const requested_name = readText(value.requested_verified_name);
  const reason = readText(value.rejection_reason);
  return {
    type: 'number_name',
    ...origin,
    display_phone,
    decision,
    ...(requested_name ? { requested_name } : {}),
    ...(reason ? { reason } : {}),
  };
}

export function readCapability(value: JsonObject, origin: AccountOrigin): CapabilityItem | string {
  const tier =
    readMessagingTier(value.max_daily_conversations_per_business) ??
    readMessagingTier(value.max_daily_conversation_per_phone);
  return tier ? { type: 'capability', ...origin, tier } : 'capability without a limit';
}

/** A username is reserved, then active, and may be taken back. */
export function readBusinessUsername(value: JsonObject, origin: AccountOrigin): BusinessUsernameItem | string {
  const display_phone = readDisplayPhone(value);
  const status = readVisible(value.status)?.toLowerCase();
  const username = readVisible(value.username) ?? readVisible(value.business_username);
  if (display_phone === undefined || status === undefined) return 'username without number or status';
  const isGone = status === 'deleted' || username === undefined;
  return { type: 'business_username', ...origin, display_phone, status, ...(isGone ? {} : { username }) };
}

function readVolumeTier(value: JsonObject, origin: AccountOrigin): VolumeTierItem | string {
  const info = value.volume_tier_info;
  const category = readVisible(readMember(info, 'pricing_category'))?.toLowerCase();
  const tier = readVisible(readMember(info, 'tier'));
  const updated_at = readPastTimestamp(readMember(info, 'tier_update_time'), origin) ?? origin.at ?? origin.received_at;
  if (category === undefined || tier === undefined || updated_at === undefined) {
    return 'volume tier without category, tier or time';
  }
  const region = readVisible(readMember(info, 'region')) ?? '';
  const effective_month = readVisible(readMember(info, 'effective_month'));
  const reached = { category, region, tier, updated_at };
  return { type: 'volume_tier', ...origin, ...reached, ...(effective_month ? { effective_month } : {}) };
}

export function readAccountEvent(
  value: JsonObject,
  origin: AccountOrigin,
  field: string,
): AccountItem | VolumeTierItem | string {
  if (value.event === 'VOLUME_BASED_PRICING_TIER_UPDATE') return readVolumeTier(value, origin);
  const event = readText(value.event) ?? readText(value.decision);
  return { type: 'account', ...origin, field, ...(event ? { event } : {}), raw: value };
}

function readDisplayPhone(value: JsonObject): string | undefined {
  return readText(value.display_phone_number)?.replace(/\D/g, '') || undefined;
}
