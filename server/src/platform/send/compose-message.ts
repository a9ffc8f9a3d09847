import type { JsonObject } from '../json-object.ts';
import {
  type ButtonParameter,
  type HeaderParameter,
  type InteractiveContent,
  type NamedText,
  namedText,
  type OutboundContent,
  type OutboundMessage,
  type OutboundTemplate,
  type PlatformMedia,
} from '../outbound-message.ts';
import { closeGaps } from './close-gaps.ts';

/** Composes the body of `POST /{phone_number_id}/messages` (section 1). */
export function composeMessage(message: OutboundMessage): JsonObject {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...composeRecipient(message.recipient),
    ...composeContent(message, message.callback_data),
    ...(message.quoted_platform_id && message.kind !== 'reaction'
      ? { context: { message_id: message.quoted_platform_id } }
      : {}),
    biz_opaque_callback_data: message.callback_data,
  };
}

/**
 * Only a business-scoped user id has letters. In `to`, the platform would answer 200 and drop the message (section 12). A
 * number without `+` would be read as one of the sender's country (section 1.1).
 */
function composeRecipient(recipient: string): JsonObject {
  return /[a-z]/i.test(recipient) ? { recipient } : { to: `+${recipient.replace(/\D/g, '')}` };
}

function composeContent(content: OutboundContent, callback_data: string): JsonObject {
  switch (content.kind) {
    case 'text':
      return { type: 'text', text: { body: content.body } };
    case 'image':
    case 'video':
      return {
        type: content.kind,
        [content.kind]: present({ ...fileOf(content), caption: content.caption }),
      };
    case 'file': {
      const { filename, caption } = content;
      return { type: 'document', document: present({ ...fileOf(content), filename, caption }) };
    }
    case 'voice':
      return { type: 'audio', audio: present({ ...fileOf(content), voice: isVoiceNote(content.mime) }) };
    case 'template':
      return { type: 'template', template: composeTemplate(content, callback_data) };
    case 'location':
      return { type: 'location', location: composeLocation(content) };
    case 'interactive':
      return { type: 'interactive', interactive: composeInteractive(content.interactive, content.body) };
    case 'reaction':
      return { type: 'reaction', reaction: { message_id: content.target_platform_id, emoji: content.emoji } };
  }
}

function fileOf(media: PlatformMedia): JsonObject {
  return 'link' in media ? { link: media.link } : { id: media.platform_media_id };
}

/** Only OGG may be marked as a voice note; other marked audio fails after acceptance (section 4.3). */
function isVoiceNote(mime: string | undefined): true | undefined {
  return mime === undefined || mime.startsWith('audio/ogg') ? true : undefined;
}

function composeLocation(place: { latitude: number; longitude: number; name?: string; address?: string }): JsonObject {
  const { latitude, longitude, name, address } = place;
  return present({ latitude: decimal(latitude), longitude: decimal(longitude), name, address });
}

/** Never an exponent; seven decimals are a centimetre. */
function decimal(degrees: number): string {
  return degrees.toFixed(7).replace(/\.?0+$/, '');
}

function composeInteractive(interactive: InteractiveContent, body: string | undefined): JsonObject {
  const { type, buttons: _, button: __, sections: ___, header, footer, ...others } = interactive;
  return present({
    ...others,
    type: type === 'buttons' ? 'button' : type,
    header,
    body: body === undefined ? others.body : { text: body },
    footer,
    action: composeAction(interactive),
  });
}

function composeAction({ type, buttons = [], button, sections }: InteractiveContent): JsonObject {
  switch (type) {
    case 'buttons':
      return { buttons: buttons.map(composeReply) };
    case 'list':
      return { button: button ?? '☰', sections: sections ?? [{ rows: buttons.map(composeRow) }] };
    case 'request_contact_info':
      return { name: type };
  }
}

/** A choice is flat, or of the platform's shape of a button, which nests it in `reply`. */
function composeReply(choice: JsonObject): JsonObject {
  return choice.reply ? { type: 'reply', ...choice } : { type: 'reply', reply: { id: choice.id, title: choice.title } };
}

function composeRow(choice: JsonObject): JsonObject {
  const { id, title, description } = (choice.reply ?? choice) as JsonObject;
  return present({ id, title, description });
}

function composeTemplate(template: OutboundTemplate, callback_data: string): JsonObject {
  const components = template.components ?? [
    ...(template.header ? [{ type: 'header', parameters: [composeHeader(template.header)] }] : []),
    ...(template.body?.length
      ? [{ type: 'body', parameters: template.body.map((value) => textParameter(namedText(value))) }]
      : []),
    ...(template.buttons ?? []).map((button) => composeButton(button, callback_data)),
  ];
  return {
    name: template.name,
    language: { code: template.language },
    ...(components.length > 0 ? { components } : {}),
  };
}

function composeHeader(header: HeaderParameter): JsonObject {
  if (header.type === 'text') return textParameter(header);
  return { type: header.type, [header.type]: present({ ...fileOf(header), filename: header.filename }) };
}

function composeButton(button: ButtonParameter, callback_data: string): JsonObject {
  const parameters = [buttonParameter(button, callback_data)];
  return { type: 'button', sub_type: button.type, index: String(button.index), parameters };
}

function buttonParameter(button: ButtonParameter, callback_data: string): JsonObject {
  switch (button.type) {
    case 'url':
      return textParameter(button);
    case 'quick_reply':
      return { type: 'payload', payload: button.payload };
    case 'flow':
      // The answers of the form return the token, so they name the message.
      return { type: 'action', action: { flow_token: callback_data } };
    case 'copy_code':
      return { type: 'coupon_code', coupon_code: button.code };
  }
}

function textParameter({ text, name }: NamedText): JsonObject {
  return { type: 'text', ...(name !== undefined && { parameter_name: name }), text: closeGaps(text) };
}

function present(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
