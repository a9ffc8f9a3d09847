import type { Dict } from '../world/message.ts';
import { checkInteractive } from './check-interactive.ts';
import { GraphError, invalidParameter, missingParameter, tooLong } from './graph-error.ts';
import { isRecord } from './is-record.ts';

export type SendBody = {
  messaging_product: 'whatsapp';
  recipient_type?: string;
  to?: string;
  recipient?: string;
  type: string;
  content: unknown;
  context_id?: string;
  callback_data?: string;
};

const mediaTypes = new Set(['image', 'video', 'document', 'audio', 'sticker']);

const checks: Record<string, (content: Dict) => void> = {
  text: checkText,
  image: (content) => checkMedia('image', content),
  video: (content) => checkMedia('video', content),
  document: (content) => checkMedia('document', content),
  audio: (content) => checkMedia('audio', content),
  sticker: (content) => checkMedia('sticker', content),
  location: checkLocation,
  reaction: checkReaction,
  interactive: checkInteractive,
  template: checkTemplateObject,
  contacts: checkContacts,
};

/** Checks the body of a send in the platform's order, with lengths (section 1). */
export function checkSend(body: Dict): SendBody {
  if (body.messaging_product !== 'whatsapp') {
    throw new GraphError(100, { message: '(#100) The parameter messaging_product is required.' });
  }
  const to = checkRecipient(body);
  const type = body.type ?? 'text';
  if (typeof type !== 'string' || checks[type] === undefined) {
    throw new GraphError(131051, { details: `Message type ${String(type)} is not supported.` });
  }
  const content = decode(body[type]);
  if (content === undefined || content === null) throw missingParameter(`['${type}']`);
  if (type === 'contacts' ? !Array.isArray(content) : !isRecord(content)) throw invalidParameter(`['${type}']`);
  checks[type](content as Dict);
  const context_id = checkContext(body, type);
  const callback_data = checkText512(body.biz_opaque_callback_data);
  return {
    messaging_product: 'whatsapp',
    ...to,
    type,
    content,
    ...(context_id !== undefined && { context_id }),
    ...(callback_data !== undefined && { callback_data }),
  };
}

/** The platform takes a nested object or list also as the text of its JSON. */
function decode(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export function isMediaType(type: string): boolean {
  return mediaTypes.has(type);
}

function checkRecipient({ recipient_type = 'individual', to, recipient }: Dict): { to?: string; recipient?: string } {
  if (recipient_type !== 'individual' && recipient_type !== 'group') {
    throw new GraphError(100, {
      message: `(#100) Param recipient_type must be one of {INDIVIDUAL, GROUP} - got "${String(recipient_type)}".`,
    });
  }
  if (to !== undefined && to !== null && to !== '') {
    if (typeof to !== 'string') throw new GraphError(100, { message: '(#100) Param to must be a string.' });
    return { to };
  }
  if (typeof recipient === 'string' && recipient !== '') return { recipient };
  throw new GraphError(100, { message: '(#100) The parameter to is required.' });
}

function checkContext({ context }: Dict, type: string): string | undefined {
  if (context === undefined || context === null) return undefined;
  if (!isRecord(context) || typeof context.message_id !== 'string') throw missingParameter("context['message_id']");
  if (type === 'reaction') throw invalidParameter('context', 'is not allowed for reactions');
  return context.message_id;
}

function checkText512(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalidParameter('biz_opaque_callback_data', 'must be a string');
  if (value.length > 512) throw tooLong('biz_opaque_callback_data', 512);
  return value;
}

function checkText(text: Dict): void {
  if (text.body === undefined || text.body === '') throw missingParameter("text['body']");
  if (typeof text.body !== 'string') throw invalidParameter("text['body']", 'must be a string');
  if (text.body.length > 4096) throw tooLong("text['body']", 4096);
}

function checkMedia(type: string, media: Dict): void {
  const { id, link, caption, filename } = media;
  if ((id === undefined) === (link === undefined)) {
    throw new GraphError(100, { details: `Exactly one of ${type}['id'] and ${type}['link'] is required.` });
  }
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number') throw invalidParameter(`${type}['id']`);
  if (link !== undefined && !(typeof link === 'string' && /^https?:\/\//i.test(link) && URL.canParse(link))) {
    throw new GraphError(100, { message: `(#100) Param ${type}['link'] is not a valid URI.` });
  }
  if (caption !== undefined && type !== 'image' && type !== 'video' && type !== 'document') {
    throw new GraphError(100, { message: `(#100) Unexpected key "caption" on param "${type}".` });
  }
  if (filename !== undefined && type !== 'document') {
    throw new GraphError(100, { message: `(#100) Unexpected key "filename" on param "${type}".` });
  }
  if (typeof caption === 'string' && caption.length > 1024) throw tooLong(`${type}['caption']`, 1024);
}

function checkLocation(location: Dict): void {
  for (const name of ['latitude', 'longitude']) {
    const value = location[name];
    if (value === undefined || value === '') throw missingParameter(`location['${name}']`);
    const limit = name === 'latitude' ? 90 : 180;
    if (!(Math.abs(Number(value)) <= limit)) throw invalidParameter(`location['${name}']`);
  }
}

function checkContacts(contacts: unknown): void {
  for (const [index, contact] of (contacts as unknown[]).entries()) {
    const name = isRecord(contact) ? contact.name : undefined;
    if (!isRecord(name) || typeof name.formatted_name !== 'string') {
      throw missingParameter(`contacts[${index}]['name']['formatted_name']`);
    }
  }
}

function checkReaction({ message_id, emoji }: Dict): void {
  if (typeof message_id !== 'string' || message_id === '') throw missingParameter("reaction['message_id']");
  if (typeof emoji !== 'string') throw missingParameter("reaction['emoji']");
  if (emoji !== '' && !/\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(emoji))
    throw invalidParameter("reaction['emoji']");
}

function checkTemplateObject({ name, language, components }: Dict): void {
  if (typeof name !== 'string' || name === '') throw missingParameter("template['name']");
  if (!isRecord(language) || typeof language.code !== 'string') throw missingParameter("template['language']['code']");
  if (components !== undefined && !Array.isArray(components)) throw invalidParameter("template['components']");
}
