import { normalizePhone, phoneDigits } from '../../contacts/normalize-phone.ts';
import { parseId } from '../../database/ids.ts';
import type { Caller } from '../../http/authenticate.ts';
import { invalid, type Refusal, unknownReference } from '../../http/reply/refusal.ts';
import type { TargetNames } from './find-targets.ts';

/** The recipient of a send by number or contact; a number in any spelling becomes E.164. */
export function readRecipient(
  { country }: Pick<Caller, 'country'>,
  {
    channel_id,
    to,
    contact_id,
  }: { channel_id?: string | undefined; to?: string | undefined; contact_id?: string | undefined },
): Omit<TargetNames, 'workspace_id'> | Refusal {
  if (to === undefined && contact_id === undefined) {
    return invalid({ detail: 'is required, or contact_id in its place', pointer: '/to' });
  }
  const identifier = to === undefined ? undefined : normalizePhone(to, country ?? undefined);
  if (to !== undefined && !identifier) return invalid({ detail: 'is not a phone number', pointer: '/to' });
  const channel = channel_id === undefined ? undefined : parseId('channel', channel_id);
  if (channel_id !== undefined && !channel) return invalid(unknownReference('names no channel', '/channel_id'));
  const contact = contact_id === undefined ? undefined : parseId('contact', contact_id);
  if (contact_id !== undefined && !contact) return invalid(unknownReference('names no contact', '/contact_id'));
  return { channel_id: channel, contact_id: contact, identifier, wa_id: identifier && phoneDigits(identifier) };
}
