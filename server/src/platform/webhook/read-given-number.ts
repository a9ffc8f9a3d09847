import type { IdentityChangeItem } from '../customer-items.ts';
import type { MessageItem } from '../message-items.ts';
import { readArray, readId, readMember } from '../read-json.ts';
import { readCustomerIds } from './read-customer-ids.ts';

/**
 * Reads the number that a customer gives in answer to `request_contact_info`: a card whose `origin` is `contact_request`. A card of
 * another origin may be anybody's, and says nothing of its sender.
 */
export function readGivenNumber({ wa_id, user_id, ...message }: MessageItem): IdentityChangeItem | undefined {
  const cards = message.platform_type === 'contacts' ? readArray(message.raw.contacts) : [];
  const card = cards.find((one) => readMember(one, 'origin') === 'contact_request');
  const phone = readArray(readMember(card, 'phones'))[0];
  const digits = readId(readMember(phone, 'wa_id')) ?? readId(readMember(phone, 'phone'))?.replace(/\D/g, '');
  const { wa_id: given } = readCustomerIds(digits, undefined);
  if (given === undefined || user_id === undefined || (wa_id !== undefined && wa_id !== given)) return undefined;
  const { waba_id, phone_number_id, display_phone, platform_message_id, at } = message;
  return {
    ...{ type: 'identity_change', waba_id, phone_number_id, platform_message_id, at, is_given: true },
    ...(display_phone !== undefined && { display_phone }),
    previous: { user_id },
    current: { wa_id: given, user_id },
  };
}
