import { readMessagingTier } from '../messaging-tier.ts';
import { readText } from '../read-json.ts';
import type {
  AccountItem,
  AccountOrigin,
  CapabilityItem,
  JsonObject,
  NumberNameItem,
  NumberQualityItem,
} from '../types.ts';

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

export function readAccountEvent(value: JsonObject, origin: AccountOrigin, field: string): AccountItem {
  const event = readText(value.event) ?? readText(value.decision);
  return { type: 'account', ...origin, field, ...(event ? { event } : {}), raw: value };
}

function readDisplayPhone(value: JsonObject): string | undefined {
  return readText(value.display_phone_number)?.replace(/\D/g, '') || undefined;
}
