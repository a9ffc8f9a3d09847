import { call } from './api.js';
import { avatar } from './chat-list.js';
import { byId, el } from './element.js';
import { icon } from './icon.js';
import { keyOf, listen, numberOf, store } from './store.js';
import { attempt } from './toast.js';

/** The phone's head shows the business; the bar above it shows the customer and the platform's state of the chat. */
export function showPhoneHead() {
  for (const name of ['opened', 'head', 'numbers', 'settings']) listen(name, draw);
  byId('phone-none-mark').append(icon('chat'));
  draw();
  setInterval(drawClock, 5_000);
}

function draw() {
  const open = store.open;
  byId('phone-none').hidden = open !== null;
  byId('composer').inert = open === null;
  drawClock();
  if (open === null) {
    byId('stage-bar').replaceChildren();
    byId('phone-head').replaceChildren();
    return;
  }
  const number = numberOf(open.phone_number_id);
  const chat = store.chats.get(keyOf(open)) ?? open;
  const name = number?.verified_name ?? open.phone_number_id;
  byId('phone-head').replaceChildren(
    avatar(name, open.phone_number_id),
    el(
      'div',
      {},
      el(
        'strong',
        {},
        el('bdi', {}, name),
        el('span', { class: 'verified', title: 'Verified business' }, icon('check')),
      ),
      el('span', {}, chat.typing ? 'typing…' : (number?.display_phone ?? '')),
    ),
  );
  byId('stage-bar').replaceChildren(...customerBar(open, chat));
}

function customerBar(open, chat) {
  const stopped = chat.marketing === 'stop';
  const toggle = attempt(() =>
    call('POST', `customers/${open.wa_id}/preference`, {
      phone_number_id: open.phone_number_id,
      value: stopped ? 'resume' : 'stop',
    }),
  );
  return [
    el(
      'span',
      { class: 'who' },
      'Phone of ',
      el('bdi', {}, chat.name || 'a customer'),
      el('span', { class: 'muted' }, ` +${open.wa_id}`),
    ),
    el(
      'span',
      { class: `chip ${chat.window_open ? 'good' : 'warn'}` },
      chat.window_open ? 'Window open' : 'Window closed: templates only',
    ),
    el(
      'button',
      { type: 'button', class: 'chip', onclick: toggle },
      stopped ? 'Marketing stopped' : 'Marketing allowed',
    ),
  ];
}

function drawClock() {
  byId('phone-clock').textContent = new Date().toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}
