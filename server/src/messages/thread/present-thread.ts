import type { ThreadMessage } from '@majlis/console-api';
import type { TemplateComponent } from '@majlis/contract';
import { publicId } from '../../database/ids.ts';
import type { JsonObject } from '../../platform/json-object.ts';
import type { OutboundTemplate } from '../../platform/outbound-message.ts';
import { readId, readMember } from '../../platform/read-json.ts';
import { readVisible, readVisibleLines } from '../../platform/read-visible.ts';
import { readShownAnswers } from '../../platform/webhook/read-form-answers.ts';
import { readReferral } from '../../platform/webhook/read-referral.ts';
import { readOrder } from '../../platform/webhook/read-untold.ts';
import { fillNames } from '../../templates/check/variables.ts';
import { presentMessage } from '../present.ts';
import { mayDescribe, presentUnreadable } from '../unreadable-content.ts';
import { failureCode } from './failure-code.ts';
import type { ThreadMessageRow } from './list-thread.ts';

type Details = Omit<ThreadMessage, keyof ReturnType<typeof presentMessage> | 'type'>;

/** Members without a value are left out. */
export function presentThreadMessage(row: ThreadMessageRow): ThreadMessage {
  const { actor_name, error, broadcast_id } = row;
  const code = error ? failureCode(error) : undefined;
  return {
    type: 'message',
    ...presentMessage(row),
    ...(actor_name !== null && { actor_name }),
    ...(broadcast_id && { broadcast_id: publicId('broadcast', broadcast_id) }),
    ...(code !== undefined && { error_code: code }),
    ...quotedOf(row),
    ...(row.edited_at && { edited_at: row.edited_at.toISOString() }),
    ...(row.deleted_at ? { deleted_at: row.deleted_at.toISOString() } : contentOf(row)),
  };
}

function quotedOf(row: ThreadMessageRow): Details {
  const { kind, body, reply_to_id, quoted_direction, quoted_kind, quoted_body, quoted_described } = row;
  const message_id = reply_to_id ? publicId('message', reply_to_id) : undefined;
  if (kind === 'reaction') return { reaction: { emoji: readVisible(body) ?? '', ...(message_id && { message_id }) } };
  if (!message_id || !quoted_direction || !quoted_kind) return {};
  const shown = { id: message_id, direction: quoted_direction, kind: quoted_kind };
  const text = { ...(quoted_body !== null && { body: quoted_body }), ...presentUnreadable(quoted_described) };
  return { quoted: { ...shown, ...text } };
}

/** What the stored content has beyond the text. A message of the platform has its own form in `raw`. */
function contentOf(row: ThreadMessageRow): Details {
  const { kind, direction, content, template_components } = row;
  if (!isObject(content)) return {};
  const raw = isObject(content.raw) ? content.raw : undefined;
  return {
    ...(raw && direction === 'inbound' && referralOf(raw)),
    ...(raw && mayDescribe(row) && presentUnreadable(raw)),
    ...contentOfKind({ kind, direction, content, template_components }, raw),
  };
}

/** The advertisement, post or product from which the customer wrote. */
function referralOf(raw: JsonObject): Details {
  const referral = readReferral(raw);
  if (!referral) return {};
  const { headline, body, source_url } = referral;
  const [title, text, url] = [readVisible(headline), readVisible(body), readVisible(source_url)];
  const id = [referral.source_id, referral.product_retailer_id].map(readVisibleId).find((one) => one !== undefined);
  return {
    referral: {
      ...(title && { headline: title }),
      ...(text && { body: text }),
      ...(url && { source_url: url }),
      ...(id && { id }),
    },
  };
}

type ContentRow = Pick<ThreadMessageRow, 'kind' | 'direction' | 'template_components'> & { content: JsonObject };

function contentOfKind(
  { kind, direction, content, template_components }: ContentRow,
  raw: JsonObject | undefined,
): Details {
  if (kind === 'template')
    return { template: presentTemplate(content as unknown as OutboundTemplate, template_components) };
  if (kind === 'location') return readLocation(raw ? raw.location : content);
  const order = readOrder(raw);
  if (order) return presentOrder(order);
  if (kind !== 'interactive') return {};
  return raw && direction === 'inbound' ? readTapped(raw) : readChoices(content.interactive);
}

/** The template as it is now: a name that was deleted at the platform leaves the text of the message alone. */
function presentTemplate(
  { name, language, header }: OutboundTemplate,
  components: TemplateComponent[] | null,
): NonNullable<ThreadMessage['template']> {
  const find = (type: string) => components?.find((component) => component.type?.toLowerCase() === type);
  const head = find('header');
  const isText = (head?.format ?? 'text').toLowerCase() === 'text';
  const values = header?.type === 'text' ? [[header.name ?? '1', header.text] as const] : [];
  const headline = isText && head?.text !== undefined ? fillNames(head.text, new Map(values)) : undefined;
  const footer = find('footer')?.text;
  const buttons = find('buttons')?.buttons?.flatMap(({ text }) => text ?? []) ?? [];
  return {
    name,
    language,
    ...(headline !== undefined && { header: headline }),
    ...(footer !== undefined && { footer }),
    ...(buttons.length > 0 && { buttons }),
  };
}

function readLocation(place: unknown): Details {
  if (!isObject(place)) return {};
  const [latitude, longitude] = [toNumber(place.latitude), toNumber(place.longitude)];
  if (latitude === undefined || longitude === undefined) return {};
  const [name, address] = [readVisible(place.name), readVisible(place.address)];
  return { location: { latitude, longitude, ...(name && { name }), ...(address && { address }) } };
}

function presentOrder({ catalog_id, text, product_items }: JsonObject): Details {
  const [catalogue, note] = [readVisibleId(catalog_id), readVisibleLines(text)];
  const products = (Array.isArray(product_items) ? product_items : []).filter(isObject).map((item) => {
    const [quantity, price] = [toNumber(item.quantity), toNumber(item.item_price)];
    const currency = readVisible(item.currency);
    return {
      id: readVisibleId(item.product_retailer_id) ?? '',
      ...(quantity !== undefined && { quantity }),
      ...(price !== undefined && { price }),
      ...(currency && { currency }),
    };
  });
  return { order: { ...(catalogue && { catalog_id: catalogue }), ...(note && { note }), products } };
}

function readChoices(interactive: unknown): Details {
  if (!isObject(interactive)) return {};
  const choices = Array.isArray(interactive.buttons) ? interactive.buttons.flatMap((one) => readChoice(one) ?? []) : [];
  return { interactive: { type: toText(interactive.type) ?? 'buttons', choices } };
}

/** The choice of an interactive message, or the button of a template. */
function readTapped({ interactive, button }: JsonObject): Details {
  const reply = isObject(interactive) ? (interactive.button_reply ?? interactive.list_reply) : undefined;
  const choice = readChoice(isObject(button) && !isObject(reply) ? { id: button.payload, title: button.text } : reply);
  const answers = readShownAnswers(interactive);
  const title = readVisible(readMember(readMember(interactive, 'nfm_reply'), 'body'));
  return {
    ...(choice && { tapped: shown(choice) }),
    ...(answers && { answers }),
    ...(answers && title && { form_title: title }),
  };
}

type Tapped = NonNullable<ThreadMessage['tapped']>;

/** The words of a choice may be those of a stranger, as the id is. */
function shown({ id, title, description }: Tapped): Tapped {
  const text = readVisible(description);
  return { id, title: readVisible(title) ?? readVisible(id) ?? '', ...(text && { description: text }) };
}

function readChoice(value: unknown): ThreadMessage['tapped'] {
  if (!isObject(value)) return undefined;
  const [id, title, description] = [readId(value.id), toText(value.title), toText(value.description)];
  if (id === undefined && title === undefined) return undefined;
  return { id: id ?? '', title: title ?? id ?? '', ...(description && { description }) };
}

/** An id of the platform may be a JSON integer. */
function readVisibleId(value: unknown): string | undefined {
  return readVisible(readId(value));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The platform sends numbers also as text. */
function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
