import { call } from './api.js';
import { el } from './element.js';
import { icon } from './icon.js';
import { buttonsOf } from './message-buttons.js';
import { contentOf } from './message-content.js';
import { attempt } from './toast.js';

const quickEmoji = ['👍', '❤️', '😂', '😮', '😢', '🙏'];

/** One message: quotation, content, buttons, ticks, reactions, actions. */
export function bubble(message, { onQuote, onJump }) {
  const mine = message.direction === 'inbound';
  const kind = `bubble ${message.type}${message.revoked ? ' revoked' : ''}`;
  return el(
    'article',
    { class: `row ${mine ? 'mine' : 'theirs'}`, 'data-id': message.id, 'aria-label': mine ? 'You' : 'The business' },
    el(
      'div',
      { class: kind },
      message.quoted && quotation(message.quoted, onJump),
      ...(message.revoked
        ? [el('p', { class: 'text muted' }, icon('none'), ' This message was deleted')]
        : contentOf(message)),
      foot(message, mine),
      reactionsOf(message),
    ),
    !message.revoked && buttonsOf(message),
    el('div', { class: 'actions' }, ...actionsOf(message, onQuote)),
  );
}

function quotation({ id, direction, text }, onJump) {
  const who = direction === 'inbound' ? 'You' : 'The business';
  return el(
    'button',
    { type: 'button', class: 'quotation', onclick: () => onJump(id) },
    el('strong', {}, who),
    el('span', { dir: 'auto' }, text),
  );
}

function foot(message, mine) {
  const { status, error, at, edited, script, pricing } = message;
  const time = new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return el(
    'footer',
    {},
    error &&
      el('span', { class: 'failure', title: error.error_data?.details ?? error.title }, `${error.code} ${error.title}`),
    script && el('span', { class: 'script' }, script),
    edited && el('span', {}, 'edited'),
    pricing && el('span', { class: 'price', title: 'What the business was told' }, priceOf(pricing)),
    el('time', { datetime: new Date(at).toISOString() }, time),
    ticks(mine ? (message.read_by_business ? 'read' : 'delivered') : status),
  );
}

function priceOf({ category, billable }) {
  return billable ? category : `${category}, free`;
}

function ticks(status) {
  const sign = { accepted: '◷', sent: '✓', delivered: '✓✓', read: '✓✓', played: '✓✓', failed: '!' }[status] ?? '';
  return el('span', { class: `ticks ${status}`, role: 'img', 'aria-label': status, title: status }, sign);
}

function reactionsOf({ reactions }) {
  const emoji = Object.values(reactions ?? {});
  return (
    emoji.length > 0 && el('span', { class: 'reactions', 'aria-label': `Reactions: ${emoji.join(' ')}` }, ...emoji)
  );
}

function actionsOf(message, onQuote) {
  if (message.type === 'reaction' || message.revoked) return [];
  const react = (emoji) => attempt(() => call('POST', `messages/${encodeURIComponent(message.id)}/react`, { emoji }))();
  const current = message.reactions?.customer;
  return [
    el(
      'button',
      { type: 'button', title: 'Reply', 'aria-label': 'Reply', onclick: () => onQuote(message) },
      icon('reply'),
    ),
    ...quickEmoji.map((emoji) =>
      el(
        'button',
        {
          type: 'button',
          'aria-label': `React ${emoji}`,
          'aria-pressed': String(emoji === current),
          onclick: () => react(emoji === current ? '' : emoji),
        },
        emoji,
      ),
    ),
  ];
}
