import { describePlatformError } from '../describe-error.ts';
import type { IgnoredItem, PlatformItem } from '../items.ts';
import type { JsonObject } from '../json-object.ts';
import { loggableName } from '../loggable-name.ts';
import type { AccountOrigin, NumberOrigin } from '../origin.ts';
import { readError } from '../read-error.ts';
import { isObject, readArray, readId, readMember, readText } from '../read-json.ts';
import { readPastTimestamp } from '../read-timestamp.ts';
import {
  readAccountEvent,
  readBusinessUsername,
  readCapability,
  readNumberName,
  readNumberQuality,
} from './account-events.ts';
import { readCalls } from './read-call.ts';
import { readGivenNumber } from './read-given-number.ts';
import { readHandover } from './read-handover.ts';
import { readAddress, readHistoryProgress, readImported } from './read-imported.ts';
import { readEchoItem, readMessageItem } from './read-message.ts';
import { readUserAction } from './read-message-report.ts';
import { readStatus } from './read-status.ts';
import { readUserPreference } from './read-user-preference.ts';
import {
  readTemplateCategory,
  readTemplateChange,
  readTemplateQuality,
  readTemplateReview,
} from './template-events.ts';
import { divideValue, withoutUnknown } from './value-lists.ts';

/**
 * Reads all items of a notification in order: every entry, change, message and status (sections 6 to 9). Never throws: a
 * malformed or unknown item becomes an `ignored` one, and the others are read. What somebody said without a readable time has that of its
 * receipt.
 */
export function parseWebhook(body: unknown, received_at?: Date): PlatformItem[] {
  if (readMember(body, 'object') !== 'whatsapp_business_account') return [ignored({}, 'not of a business account')];
  return readArray(readMember(body, 'entry')).flatMap((entry) => {
    const waba_id = readId(readMember(entry, 'id'));
    if (waba_id === undefined) return [ignored({}, 'entry without id')];
    const at = readPastTimestamp(readMember(entry, 'time'), { received_at });
    return readArray(readMember(entry, 'changes')).flatMap((change) =>
      readChange(change, { waba_id }, { at, received_at }),
    );
  });
}

/** An item, or the reason why there is none. */
type Read<Item extends PlatformItem> = Item | string;

interface Times {
  at: Date | undefined;
  received_at: Date | undefined;
}

function readChange(change: unknown, origin: AccountOrigin, { at, received_at }: Times): PlatformItem[] {
  const field = loggableName(readMember(change, 'field'));
  const value = readMember(change, 'value');
  if (!isObject(value)) return [ignored({ ...origin, field }, 'change without value')];
  const number = readNumberOrigin(value, origin);
  const received = received_at && { received_at };
  const said = number && { ...number, ...received };
  const place = { ...(number ?? origin), field };
  const divided = number && divideValue(field, value);
  const known = divided ? withoutUnknown(value, divided) : value;
  return [
    ...withRaw(readItems(field, known, said, { ...origin, ...(at && { at }), ...received }), known),
    ...Object.entries(divided?.unknown ?? {}).map(readUnknownMember),
  ].map((item) => (item.type === 'ignored' ? { ...place, ...item } : item));
}

/** A member that nobody knows, or that is no list where one is expected. It is kept by itself, whatever stands beside it. */
function readUnknownMember([name, member]: [string, unknown]): IgnoredItem {
  return { ...ignored({}, `member ${loggableName(name)}`), raw: { [name]: member } };
}

function readItems(
  field: string,
  value: JsonObject,
  number: NumberOrigin | undefined,
  origin: AccountOrigin,
): PlatformItem[] {
  const settle = (item: Read<PlatformItem>) => (typeof item === 'string' ? ignored({}, item) : item);
  const readAccountField = accountFields.get(field);
  if (readAccountField) return [settle(readAccountField(value, origin, field))];
  const readNumberField = numberFields.get(field);
  if (!readNumberField) return [ignored({}, 'field not in use')];
  if (number === undefined) return [ignored({}, 'metadata without phone_number_id')];
  return [...readNumberField(value, number), ...readArray(value.errors).map(describeValueError)].map(settle);
}

/** The first ignored item takes the value, so that nothing is dropped without a trace. */
function withRaw(items: PlatformItem[], raw: JsonObject): PlatformItem[] {
  const first = items.findIndex(({ type }) => type === 'ignored');
  return items.map((item, n) => (n === first ? { ...(item as IgnoredItem), raw } : item));
}

/** Fields of an account: one item each. */
const accountFields = new Map<string, (value: JsonObject, origin: AccountOrigin, field: string) => Read<PlatformItem>>([
  ['message_template_status_update', readTemplateReview],
  ['message_template_quality_update', readTemplateQuality],
  ['template_category_update', readTemplateCategory],
  ['message_template_components_update', readTemplateChange],
  ['template_correct_category_detection', readTemplateChange],
  ['phone_number_quality_update', readNumberQuality],
  ['phone_number_name_update', readNumberName],
  ['business_capability_update', readCapability],
  ['business_username_update', readBusinessUsername],
  ['account_update', readAccountEvent],
  ['account_alerts', readAccountEvent],
  ['account_review_update', readAccountEvent],
  ['security', readAccountEvent],
]);

/** Fields of a number: any number of items each. */
const numberFields = new Map<string, (value: JsonObject, origin: NumberOrigin) => Read<PlatformItem>[]>([
  ['messages', readMessages],
  ['standby', (value, origin) => [...readMessages(value, origin), ...readEchoes(value, origin)].map(markHeld)],
  [
    'messaging_handovers',
    (value, origin) => readArray(value.handovers).map((handover) => readHandover(handover, origin)),
  ],
  ['smb_message_echoes', readEchoes],
  ['calls', readCalls],
  [
    'history',
    (value, origin) => [
      ...readArray(value.imported).map((message) => readImported(message, origin)),
      ...readArray(value.refusals).map(describeDeclined),
      ...readArray(value.progress).map((chunk) => readHistoryProgress(chunk, origin)),
    ],
  ],
  ['smb_app_state_sync', (value, origin) => readArray(value.address_book).map((entry) => readAddress(entry, origin))],
  [
    'user_preferences',
    (value, origin) =>
      readArray(value.user_preferences).map((preference) => readUserPreference(preference, value.contacts, origin)),
  ],
]);

function readMessages(value: JsonObject, origin: NumberOrigin): Read<PlatformItem>[] {
  return [
    ...readArray(value.messages).flatMap((message) =>
      withGivenNumber(readMessageItem(message, value.contacts, origin)),
    ),
    ...readArray(value.statuses).map((status) => readStatus(status, origin)),
    ...readArray(value.user_actions).map((action) => readUserAction(action, value.contacts, origin)),
  ];
}

function withGivenNumber(item: Read<PlatformItem>): Read<PlatformItem>[] {
  const given = typeof item !== 'string' && item.type === 'message' ? readGivenNumber(item) : undefined;
  return given ? [item, given] : [item];
}

function readEchoes(value: JsonObject, origin: NumberOrigin): Read<PlatformItem>[] {
  return readArray(value.message_echoes).map((echo) => readEchoItem(echo, value.contacts, origin));
}

function markHeld(item: Read<PlatformItem>): Read<PlatformItem> {
  if (typeof item === 'string') return item;
  const is_said = item.type === 'message' || item.type === 'echo' || item.type === 'revision';
  return is_said ? { ...item, is_held: true } : item;
}

function readNumberOrigin(value: JsonObject, origin: AccountOrigin): NumberOrigin | undefined {
  const phone_number_id = readId(readMember(value.metadata, 'phone_number_id'));
  if (phone_number_id === undefined) return undefined;
  const display_phone = readText(readMember(value.metadata, 'display_phone_number'))?.replace(/\D/g, '');
  return { ...origin, phone_number_id, ...(display_phone ? { display_phone } : {}) };
}

/** The business shares no history, as a rule because it declined. */
function describeDeclined(value: unknown): string {
  const error = readError(value);
  return `history declined${error ? ` ${error.code}` : ''}`;
}

/** Errors that belong to no message (section 6.3). */
function describeValueError(value: unknown): string {
  const error = readError(value);
  return error ? `error ${describePlatformError(error)}` : 'error without a code';
}

function ignored(origin: { waba_id?: string; field?: string }, reason: string): IgnoredItem {
  return { type: 'ignored', ...origin, reason };
}
