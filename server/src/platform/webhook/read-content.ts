import { describePlatformError } from '../describe-error.ts';
import type { JsonObject } from '../json-object.ts';
import { loggableWord } from '../loggable-name.ts';
import type { InboundContent, InboundKind } from '../message-items.ts';
import { readFirstError } from '../read-error.ts';
import { isObject, readArray, readId, readMember, readText, readWord } from '../read-json.ts';
import { isVisible, readVisible, readVisibleLines } from '../read-visible.ts';
import { readShownAnswers } from './read-form-answers.ts';

/**
 * Reads content in the contract's kinds (section 7). Content without a kind becomes readable text: no customer's message is
 * dropped for its type or shape.
 */
export function readContent(message: JsonObject): InboundContent {
  const type = loggableWord(message.type);
  const content = contentReaders.get(type)?.(message[type], message);
  if (content) return content;

  const error = readFirstError(message.errors);
  return {
    kind: 'text',
    body: describeUnsupported(message) ?? describeType(type, message[type]),
    ...(error ? { error: describePlatformError(error) } : {}),
  };
}

/**
 * The type of a message whose content is not read: as the platform names it inside `unsupported`, or as the message names it.
 * Undefined: the content is read.
 */
export function unreadableType(message: JsonObject): string | undefined {
  const type = loggableWord(message.type);
  const value = message[type];
  if (contentReaders.get(type)?.(value, message)) return undefined;
  return readInnerType(message.unsupported) ?? (type === 'interactive' ? readInnerType(value) : undefined) ?? type;
}

type Reader = (value: unknown, message: JsonObject) => InboundContent | undefined;

const contentReaders = new Map<string, Reader>([
  ['text', (value) => contentOf('text', readText(readMember(value, 'body')))],
  ['image', readMedia('image')],
  ['sticker', readMedia('image')],
  ['video', readMedia('video')],
  ['document', readMedia('file')],
  ['audio', readMedia('voice')],
  ['location', (value) => contentOf('location', describeLocation(value))],
  ['contacts', (value) => contentOf('text', lines(readArray(value).map(describeCard)))],
  ['template', (value) => contentOf('text', describeTemplate(value))],
  ['order', (value) => contentOf('text', describeOrder(value))],
  ['interactive', (value) => contentOf('interactive', readChoice(value))],
  [
    'button',
    (value) =>
      contentOf('interactive', readVisible(readMember(value, 'text')) ?? readVisible(readMember(value, 'payload'))),
  ],
  ['reaction', readReaction],
]);

function contentOf(kind: InboundKind, body: string | undefined): InboundContent | undefined {
  return body === undefined ? undefined : { kind, body };
}

/** Media that the platform could not fetch carries an error (131052) and no id; the message is kept. */
function readMedia(kind: InboundKind): Reader {
  return (value, message) => {
    const content: InboundContent = { kind, body: '' };
    const platform_media_id = readId(readMember(value, 'id'));
    if (platform_media_id) content.platform_media_id = platform_media_id;
    const mime = readText(readMember(value, 'mime_type'));
    if (mime) content.mime = mime;
    const filename = readText(readMember(value, 'filename'));
    if (filename && isVisible(filename)) content.filename = filename;
    const sha256 = readText(readMember(value, 'sha256'));
    if (sha256) content.sha256 = sha256;
    const caption = readText(readMember(value, 'caption'));
    if (caption) content.caption = caption;
    const error = readFirstError(message.errors);
    if (error) content.error = describePlatformError(error);
    // The error is no text of the customer: without a caption the body is empty.
    content.body = caption ?? (platform_media_id || error ? '' : `[${loggableWord(message.type)}]`);
    return content;
  };
}

function describeLocation(value: unknown): string | undefined {
  const latitude = numeral(readMember(value, 'latitude'));
  const longitude = numeral(readMember(value, 'longitude'));
  if (latitude === undefined || longitude === undefined) return undefined;
  const name = readVisible(readMember(value, 'name'));
  return lines([name, readVisible(readMember(value, 'address')), `${latitude},${longitude}`]);
}

/** `Name (Company): +15550003333, a@example.com, Street 1, Muscat`. */
function describeCard(card: unknown): string | undefined {
  const name = readMember(card, 'name');
  const person = readVisible(readMember(name, 'formatted_name')) ?? readVisible(readMember(name, 'first_name'));
  const org = readMember(card, 'org');
  const company = ['company', 'department', 'title'].map((member) => readVisible(readMember(org, member)));
  const phones = readArray(readMember(card, 'phones')).map((phone) => {
    const wa_id = readVisible(readMember(phone, 'wa_id'));
    return readVisible(readMember(phone, 'phone')) ?? (wa_id && `+${wa_id}`);
  });
  const each = (list: string, member: string) =>
    readArray(readMember(card, list)).map((entry) => readVisible(readMember(entry, member)));
  const addresses = readArray(readMember(card, 'addresses')).flatMap((address) =>
    ['street', 'city', 'state', 'zip', 'country'].map((member) => readVisible(readMember(address, member))),
  );
  const works = listed(company);
  const title = person && works ? `${person} (${works})` : (person ?? works);
  const ways = listed([...phones, ...each('emails', 'email'), ...addresses, ...each('urls', 'url')]);
  return [title, ways].filter(Boolean).join(': ') || undefined;
}

function listed(parts: readonly (string | undefined)[]): string | undefined {
  return parts.filter(Boolean).join(', ') || undefined;
}

/** A template that was sent elsewhere: its own words where they are told, otherwise `name: first value, second value`. */
function describeTemplate(template: unknown): string | undefined {
  const components = readArray(readMember(template, 'components'));
  const words = lines(components.map((component) => readText(readMember(component, 'text'))));
  if (words) return words;
  const values = components.flatMap((component) =>
    readArray(readMember(component, 'parameters')).map((value) => readVisible(readMember(value, 'text'))),
  );
  return [readVisible(readMember(template, 'name')), listed(values)].filter(Boolean).join(': ') || undefined;
}

/** The customer's note, then a line such as `2 × sku  9.5 SAR` for each product. */
function describeOrder(order: unknown): string | undefined {
  const items = readArray(readMember(order, 'product_items')).map((item) => {
    const product = numeral(readMember(item, 'product_retailer_id')) ?? '?';
    const price = [numeral(readMember(item, 'item_price')), readVisible(readMember(item, 'currency'))];
    return [`${numeral(readMember(item, 'quantity')) ?? '?'} × ${product}`, price.filter(Boolean).join(' ')]
      .join('  ')
      .trim();
  });
  return lines([readVisibleLines(readMember(order, 'text')), ...items]);
}

/** The title of the chosen button or row, the text and the answers of a submitted form, or the words of a question with buttons. */
function readChoice(value: unknown): string | undefined {
  const answers = readShownAnswers(value);
  const title = readTitle(value);
  // An answer on one line cannot pass for another one.
  return answers
    ? lines([title, ...answers.map(({ name, value: answer }) => `${name}: ${readVisible(answer) ?? ''}`)])
    : title;
}

function readTitle(value: unknown): string | undefined {
  return [
    readMember(readMember(value, 'button_reply'), 'title'),
    readMember(readMember(value, 'list_reply'), 'title'),
    readMember(readMember(value, 'nfm_reply'), 'body'),
    readMember(readMember(value, 'call_permission_reply'), 'response'),
    readMember(readMember(value, 'body'), 'text'),
    // A choice whose title shows nothing.
    readMember(readMember(value, 'button_reply'), 'id'),
    readMember(readMember(value, 'list_reply'), 'id'),
  ]
    .map(readVisible)
    .find((title) => title !== undefined);
}

function readReaction(value: unknown): InboundContent | undefined {
  const target_platform_id = readText(readMember(value, 'message_id'));
  if (target_platform_id === undefined) return undefined;
  const emoji = readVisible(readMember(value, 'emoji')) ?? '';
  return { kind: 'reaction', body: emoji, reaction: { target_platform_id, emoji } };
}

/** The new text of an edited message. Undefined where nothing tells what it is, so that the former one stays. */
export function readEditedText(edit: unknown): string | undefined {
  const edited = readMember(edit, 'message');
  if (!isObject(edited) || readWord(edited.type) === 'edit') return undefined;
  if (readText(edited.type) === undefined) return readText(readMember(edited.text, 'body'));
  return readContent(edited).body;
}

/** The platform's explanation, with the type's name where present: `[poll] Message type is …`. */
function describeUnsupported(message: JsonObject): string | undefined {
  const error = readFirstError(message.errors);
  const sentence = error?.details ?? error?.title;
  const type = readVisible(readMember(message.unsupported, 'type'));
  if (sentence === undefined && type === undefined) return undefined;
  return [type && `[${type}]`, sentence].filter(Boolean).join(' ');
}

/** The type, with the type inside it where it has one: `[interactive: payment_method]`. */
function describeType(type: string, value: unknown): string {
  const inner = type === 'interactive' ? readInnerType(value) : undefined;
  return inner === undefined ? `[${type}]` : `[${type}: ${inner}]`;
}

function readInnerType(value: unknown): string | undefined {
  const inner = readText(readMember(value, 'type'));
  return inner === undefined ? undefined : loggableWord(inner);
}

function lines(parts: (string | undefined)[]): string | undefined {
  return parts.filter(Boolean).join('\n') || undefined;
}

function numeral(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : readVisible(value);
}
