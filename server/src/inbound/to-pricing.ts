import { createHash } from 'node:crypto';
import type { StatusItem } from '../platform/message-items.ts';
import type { Pricing } from '../workspaces/prices/pricing.ts';

/** Converts the platform's pricing report. Undefined without a category. */
export function toPricing({ pricing, conversation_id, phone_number_id, at }: StatusItem): Pricing | undefined {
  if (!pricing?.category) return undefined;
  // The platform writes both hyphens and underscores.
  const category = pricing.category.toLowerCase().replaceAll('-', '_');
  // `billable` is deprecated. `type` says the same: free_customer_service, free_entry_point.
  const is_billable = pricing.billable !== false && !pricing.type?.startsWith('free');
  const isByConversation = pricing.model === 'CBP' && conversation_id !== undefined;
  return {
    category,
    is_billable,
    ...(at && { reported_ms: at.getTime() }),
    ...(isByConversation && { conversation: digestOf(`${phone_number_id} ${conversation_id}`) }),
  };
}

/** The ledger keeps it for ever, so it must not identify a person, and the platform's id might. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
