import type { IdentityChangeItem } from '../customer-items.ts';
import type { MessageItem } from '../message-items.ts';
import { readArray, readId, readMember, readWord } from '../read-json.ts';
import { readCustomerIds } from './read-customer-ids.ts';

/**
 * Reads the number that a customer gives in answer to `request_contact_info`: a card whose `origin` is `contact_request`. A card of
 * another origin may be anybody's, and says nothing of its sender.
 */
export function readGivenNumber({ wa_id, user_id, ...message }: MessageItem): IdentityChangeItem | undefined {
  const cards = message.platform_type === 'contacts' ? readArray(message.raw.contacts) : [];
  const card = cards.find((one) => readWord(readMember(one, 'origin')) === 'contact_request');
  const [given] = readArray(readMember(card, 'phones')).flatMap((phone) => readNumber(phone) ?? []);
  if (given === undefined || user_id === undefined || (wa_id !== undefined && wa_id !== given)) return undefined;
  const { waba_id, phone_number_id, display_phone, platform_message_id, at } = message;
  return {
    ...{ type: 'identity_change', waba_id, phone_number_id, platform_message_id, at, is_given: true },
    ...(display_phone !== undefined && { display_phone }),
    previous: { user_id },
    current: { wa_id: given, user_id },
  };
}

/** The platform's id, or the number as it is written. One that begins with neither `+` nor `00` may lack its country. */
function readNumber(phone: unknown): string | undefined {
  const { wa_id } = readCustomerIds(readMember(phone, 'wa_id'), undefined);
  const written = readId(readMember(phone, 'phone'))?.replace(/[^\d+]/g, '');
  return wa_id ?? (written && /^(\+|00)/.test(written) ? readCustomerIds(written, undefined).wa_id : undefined);
}
