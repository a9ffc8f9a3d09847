import { createHash } from 'node:crypto';
import type { StatusItem } from '../platform/types.ts';
import type { Pricing } from '../workspaces/pricing.ts';

/** The platform's pricing report in our own words; undefined where it names no category. */
export function toPricing({ pricing, conversation_id, phone_number_id }: StatusItem): Pricing | undefined {
  if (!pricing?.category) return undefined;
  // It is spelled with either of the two.
  const category = pricing.category.toLowerCase().replaceAll('-', '_');
  // `billable` is on its way out, and `type` says it too: free_customer_service, free_entry_point.
  const is_billable = pricing.billable !== false && !pricing.type?.startsWith('free');
  const isByConversation = pricing.model === 'CBP' && conversation_id !== undefined;
  return {
    category,
    is_billable,
    ...(isByConversation && { conversation: digestOf(`${phone_number_id} ${conversation_id}`) }),
  };
}

/** What stays in the books for ever must not name a person, and nobody knows what the platform's id is made of. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
