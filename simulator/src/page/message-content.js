import { el } from './element.js';
import { icon } from './icon.js';
import { mediaPart } from './media-part.js';
import { paragraph } from './rich-text.js';

/** The content of a bubble by the message's type; a template with its parameters. */
export function contentOf(message) {
  const { type, content, template } = message;
  if (template) {
    return [
      template.header?.text && paragraph('header', template.header.text),
      template.header && template.header.format !== 'TEXT' && mediaPart(message, template.header.format.toLowerCase()),
      paragraph('text', template.body),
      template.footer && paragraph('footer', template.footer),
    ];
  }
  switch (type) {
    case 'text':
      return [paragraph('text', content.body)];
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return [mediaPart(message, type), content.caption && paragraph('text', content.caption)];
    case 'location':
      return [place(content)];
    case 'contacts':
      return content.map(card);
    case 'interactive':
      return interactive(message);
    case 'button':
      return [paragraph('text', content.text)];
    case 'reaction':
      return [el('p', { class: 'text muted' }, content.emoji ? `Reacted ${content.emoji}` : 'Took a reaction back')];
    case 'order':
      return [
        el('p', { class: 'text muted' }, icon('cart'), ` ${content.product_items?.length ?? 0} items`),
        content.text && paragraph('text', content.text),
      ];
    default:
      return [paragraph('text muted', message.text || `[${type}]`)];
  }
}

function interactive(message) {
  const { content } = message;
  const answer = content.button_reply ?? content.list_reply;
  if (answer) return [paragraph('text', answer.title), answer.description && paragraph('footer', answer.description)];
  if (content.nfm_reply) return [paragraph('text', content.nfm_reply.body)];
  const { header, body, footer } = content;
  return [
    header?.type === 'text' && paragraph('header', header.text),
    header && header.type !== 'text' && mediaPart(message, header.type),
    paragraph('text', body?.text),
    footer && paragraph('footer', footer.text),
  ];
}

function place({ latitude, longitude, name, address }) {
  const at = `${Number(latitude).toFixed(5)}, ${Number(longitude).toFixed(5)}`;
  return el(
    'div',
    { class: 'place' },
    el('div', { class: 'map', 'aria-hidden': 'true' }, el('span', { class: 'pin' }, icon('pin'))),
    name && el('strong', { dir: 'auto' }, name),
    address && el('span', { dir: 'auto' }, address),
    el('span', { class: 'muted' }, at),
  );
}

function card(contact) {
  const phones = (contact.phones ?? []).map((one) => one.phone).join(', ');
  return el(
    'div',
    { class: 'file' },
    icon('person'),
    el('span', {}, el('strong', { dir: 'auto' }, contact.name?.formatted_name ?? ''), el('small', {}, phones)),
  );
}
