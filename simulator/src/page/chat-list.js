import { byId, el } from './element.js';
import { isOpen, keyOf, listen, numberOf, openChat, store } from './store.js';
import { attempt } from './toast.js';

export function showChatList() {
  listen('chats', draw);
  listen('numbers', draw);
  byId('chat-filter').addEventListener('input', draw);
  byId('chat-list').addEventListener('keydown', moveByArrows);
}

let asked = false;

/** Many messages in one frame redraw the list once. */
function draw() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    redraw();
  });
}

function redraw() {
  const wanted = byId('chat-filter').value.trim().toLowerCase();
  const chats = [...store.chats.values()]
    .filter((chat) => `${chat.name} +${chat.wa_id} ${businessName(chat)}`.toLowerCase().includes(wanted))
    .sort((one, other) => other.last_at - one.last_at);
  const focused = document.activeElement?.dataset?.chat;
  byId('chat-list').replaceChildren(...chats.slice(0, 200).map(item));
  if (focused)
    byId('chat-list')
      .querySelector(`[data-chat="${CSS.escape(focused)}"]`)
      ?.focus();
  const none = byId('chat-none');
  none.hidden = chats.length > 0;
  none.textContent = store.numbers.length === 0 ? 'No business number yet.' : 'No chats.';
}

function item(chat) {
  const unread = store.unread.get(keyOf(chat)) ?? 0;
  const open = attempt(() => openChat(chat));
  return el(
    'li',
    {},
    el(
      'button',
      {
        type: 'button',
        class: 'chat',
        'data-chat': keyOf(chat),
        'aria-current': isOpen(chat) ? 'true' : null,
        onclick: open,
      },
      avatar(chat.name || chat.wa_id, chat.wa_id),
      el(
        'span',
        { class: 'chat-main' },
        el('span', { class: 'chat-name' }, el('bdi', {}, chat.name || `+${chat.wa_id}`)),
        el('span', { class: 'chat-business' }, '→ ', el('bdi', {}, businessName(chat))),
        el('span', { class: 'chat-last', dir: 'auto' }, preview(chat)),
      ),
      el(
        'span',
        { class: 'chat-side' },
        el('time', {}, chat.last_at > 0 ? shortTime(chat.last_at) : ''),
        unread > 0 && el('span', { class: 'badge', 'aria-label': `${unread} unread` }, String(unread)),
      ),
    ),
  );
}

function preview({ last, typing }) {
  if (typing) return 'typing…';
  if (!last) return 'No messages yet';
  return `${last.direction === 'inbound' ? 'You: ' : ''}${last.text}`;
}

function businessName({ phone_number_id }) {
  return numberOf(phone_number_id)?.verified_name ?? phone_number_id;
}

export function avatar(name, seed) {
  const hue = [...seed].reduce((sum, char) => (sum * 31 + char.codePointAt(0)) % 360, 7);
  const letters = /\p{L}/u.test(name) ? [...name.trim()].filter((char) => /\p{L}/u.test(char))[0] : '#';
  const element = el('span', { class: 'avatar', 'aria-hidden': 'true' }, letters.toUpperCase());
  element.style.setProperty('--hue', String(hue));
  return element;
}

export function shortTime(at) {
  const date = new Date(at);
  const today = new Date().toDateString() === date.toDateString();
  return date.toLocaleString([], today ? { hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' });
}

function moveByArrows(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons = [...byId('chat-list').querySelectorAll('.chat')];
  const next = buttons[buttons.indexOf(document.activeElement) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
