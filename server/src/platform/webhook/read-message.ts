import type { IdentityChangeItem } from '../customer-items.ts';
import type { JsonObject } from '../json-object.ts';
import { loggableWord } from '../loggable-name.ts';
import type { EchoItem, MessageItem, RevisionItem } from '../message-items.ts';
import type { CustomerIds, NumberOrigin } from '../origin.ts';
import { isObject, readId, readMember, readText, readWord } from '../read-json.ts';
import { readMoment } from '../read-timestamp.ts';
import { readVisible } from '../read-visible.ts';
import { findCustomer } from './find-customer.ts';
import { isOfGroup } from './is-of-group.ts';
import { readContent, readEditedText } from './read-content.ts';
import { hasNoId, readCustomerIds } from './read-customer-ids.ts';

/**
 * Reads one of `messages[]` (section 7): a customer's message, a revision of one, or a notice that the customer's identity changed.
 * Other notices about the chat are no message, and only their type is returned.
 */
export function readMessageItem(
  value: unknown,
  contacts: unknown,
  origin: NumberOrigin,
): MessageItem | RevisionItem | IdentityChangeItem | string {
  if (!isObject(value)) return 'message is not an object';
  if (isOfGroup(value)) return 'message of a group';
  if (readWord(value.type) === 'system') return readIdentityChange(value, origin);

  const { ids: sender, contact } = findCustomer(value.from, value.from_user_id, contacts);
  if (sender.wa_id !== undefined && sender.wa_id === origin.display_phone) return 'message of the business itself';
  const notice = readNotice(value, sender, { by: 'customer', origin });
  if (notice !== undefined) return notice;
  const common = readCommon(value, sender, origin);
  if (typeof common === 'string') return common;
  const profile_name = readProfileName(contact);
  return {
    type: 'message',
    ...common,
    ...(profile_name ? { profile_name } : {}),
    opens_window: openingTypes.has(common.platform_type),
  };
}

/** Reads one of `message_echoes[]` (section 9): the business sent it from the phone app to `to`. */
export function readEchoItem(
  value: unknown,
  contacts: unknown,
  origin: NumberOrigin,
): EchoItem | RevisionItem | string {
  if (!isObject(value)) return 'echo is not an object';
  if (isOfGroup(value)) return 'echo of a group';
  const { ids: person } = findCustomer(value.to, value.to_user_id, contacts);
  const notice = readNotice(value, person, { by: 'business', origin });
  if (notice !== undefined) return notice;
  const common = readCommon(value, person, origin);
  return typeof common === 'string' ? common : { type: 'echo', ...common };
}

/** Types by which the platform reports about the chat. Nobody wrote anything. */
const noticeTypes = new Set([
  ...['system', 'request_welcome', 'pin', 'unpin', 'pin_message', 'keep', 'unkeep', 'keep_in_chat', 'unkeep_in_chat'],
  ...['ephemeral', 'ephemeral_setting', 'protocol', 'e2e_notification', 'notification', 'call_log', 'poll_update'],
  ...['poll_vote', 'event_response', 'delete', 'deleted', 'revoked', 'message_deleted', 'message_edited'],
]);

/** A revision, or the type of another notice about the chat. Undefined for what somebody wrote. */
export function readNotice(
  value: JsonObject,
  person: CustomerIds,
  { by, origin }: Pick<RevisionItem, 'by'> & { origin: NumberOrigin },
): RevisionItem | string | undefined {
  const type = loggableWord(value.type);
  const wrapped = readWrappedType(type, value);
  if (wrapped !== undefined && isReport(wrapped)) return `notice ${wrapped}`;
  if (type !== 'edit' && type !== 'revoke') return isNotice(type, value[type]) ? `notice ${type}` : undefined;
  const platform_message_id = ['original_message_id', 'message_id']
    .map((member) => readText(readMember(value[type], member)))
    .find((id) => id !== undefined);
  const at = readMoment(value.timestamp, origin);
  if (platform_message_id === undefined || at === undefined) return `${type} without a message or a timestamp`;
  if (hasNoId(person)) return `${type} by nobody`;
  const revision = { type: 'revision' as const, ...origin, ...person, by, platform_message_id, at, raw: value };
  if (type === 'revoke') return revision;
  const body = readEditedText(value.edit);
  return body === undefined ? 'edit without a message' : { ...revision, body };
}

/** The type that the platform does not pass on, and names inside one of its own. */
function readWrappedType(type: string, { unsupported }: JsonObject): string | undefined {
  const isWrapper = type === 'unsupported' || type === 'unknown';
  const wrapped = isWrapper ? readText(readMember(unsupported, 'type')) : undefined;
  return wrapped && loggableWord(wrapped);
}

/** Whether a type reports about the chat, whatever else it names. */
function isReport(type: string): boolean {
  return noticeTypes.has(type) || type === 'edit' || type === 'revoke';
}

/** An unknown type that names another message is about that message, as a pin is. */
function isNotice(type: string, content: unknown): boolean {
  if (noticeTypes.has(type)) return true;
  if (openingTypes.has(type) || type === 'reaction') return false;
  return ['message_id', 'original_message_id'].some((member) => readText(readMember(content, member)) !== undefined);
}

/**
 * Types that open the window. Reactions are left out: a window wrongly closed refuses here, one wrongly open fails at the
 * platform. Unknown types may be no message.
 */
const openingTypes = new Set([
  ...['text', 'image', 'video', 'document', 'audio', 'sticker', 'location', 'contacts', 'order'],
  ...['interactive', 'button', 'unsupported', 'unknown'],
]);

export function readCommon(value: JsonObject, person: CustomerIds, origin: NumberOrigin) {
  const platform_message_id = readText(value.id);
  if (platform_message_id === undefined) return 'message without id';
  if (hasNoId(person)) return 'message of nobody';
  const at = readMoment(value.timestamp, origin);
  if (at === undefined) return 'message without a readable timestamp';
  const quoted_platform_id = readText(readMember(value.context, 'id'));
  return {
    ...origin,
    platform_message_id,
    ...person,
    at,
    platform_type: loggableWord(value.type),
    ...readContent(value),
    ...(quoted_platform_id ? { quoted_platform_id } : {}),
    raw: value,
  };
}

function readProfileName(contact: unknown): string | undefined {
  const profile = readMember(contact, 'profile');
  return readVisible(readMember(profile, 'name')) ?? readVisible(readMember(profile, 'username'));
}

function readIdentityChange(value: JsonObject, origin: NumberOrigin): IdentityChangeItem | string {
  const system = value.system;
  const change = loggableWord(readMember(system, 'type'));
  if (!identityChanges.has(change)) return `system message ${change}`;
  const platform_message_id = readText(value.id);
  const at = readMoment(value.timestamp, origin);
  const previous = readCustomerIds(value.from, readText(readMember(system, 'previous_user_id')) ?? value.from_user_id);
  const current = readCustomerIds(
    readId(readMember(system, 'wa_id')) ?? readMember(system, 'new_wa_id'),
    readMember(system, 'user_id'),
  );
  if (platform_message_id === undefined || at === undefined) return 'identity change without id or timestamp';
  if (hasNoId(previous) || hasNoId(current)) return 'identity change from or to nobody';
  return { type: 'identity_change', ...origin, platform_message_id, at, previous, current };
}

const identityChanges = new Set(['user_changed_number', 'customer_changed_number', 'user_changed_user_id']);
