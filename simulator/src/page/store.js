import { call } from './api.js';

/** The state of the page. Views listen for the parts that they show. */
export const store = {
  numbers: [],
  chats: new Map(),
  unread: new Map(),
  /** The open chat: { phone_number_id, wa_id } or null. */
  open: null,
  /** The customer whose phone is shown alone, by their number. */
  only: null,
  messages: new Map(),
  settings: null,
  scripts: [],
  deliveries: [],
  templates: [],
  template_scripts: [],
};

const target = new EventTarget();

export function listen(name, run) {
  target.addEventListener(name, (event) => run(event.detail));
}

export function announce(name, detail) {
  target.dispatchEvent(new CustomEvent(name, { detail }));
}

export const keyOf = ({ phone_number_id, wa_id }) => `${phone_number_id}/${wa_id}`;

export function numberOf(phone_number_id) {
  return store.numbers.find((number) => number.phone_number_id === phone_number_id);
}

export function isOpen(chat) {
  return store.open !== null && keyOf(store.open) === keyOf(chat);
}

export async function load() {
  const [numbers, chats, settings, scripts, deliveries, templates, template_scripts] = await Promise.all([
    call('GET', 'numbers'),
    call('GET', 'conversations'),
    call('GET', 'settings'),
    call('GET', 'scripts'),
    call('GET', 'deliveries?limit=50'),
    call('GET', 'templates'),
    call('GET', 'template-scripts'),
  ]);
  Object.assign(store, { numbers, settings, scripts, templates, template_scripts });
  store.deliveries = deliveries.toReversed();
  store.chats = new Map(chats.map((chat) => [keyOf(chat), chat]));
  announce('numbers');
  announce('settings');
  announce('deliveries');
  announce('templates');
  announce('chats');
  const shown = store.open ?? newest(store.only === null ? chats : chatsOfPhone(chats));
  if (shown !== undefined) await openChat(shown);
}

function chatsOfPhone(chats) {
  const own = chats.filter(({ wa_id }) => wa_id === store.only);
  return own.length > 0
    ? own
    : store.numbers.map(({ phone_number_id }) => ({ phone_number_id, wa_id: store.only, last_at: 0 }));
}

function newest(chats) {
  return chats.toSorted((one, other) => other.last_at - one.last_at)[0];
}

export async function openChat({ phone_number_id, wa_id }) {
  store.open = { phone_number_id, wa_id };
  store.unread.delete(keyOf(store.open));
  history.replaceState(null, '', `#${keyOf(store.open)}`);
  const { messages, ...chat } = await call('GET', `conversations/${keyOf(store.open)}`);
  if (!isOpen(chat)) return;
  store.chats.set(keyOf(chat), chat);
  store.messages = new Map(messages.map((message) => [message.id, message]));
  announce('chats');
  announce('opened');
  await readOpen();
}

/** Marks the open chat as read where the platform's own read statuses are off. */
export async function readOpen() {
  if (store.open === null || store.settings.delays.read_ms !== null || document.hidden) return;
  await call('POST', `conversations/${keyOf(store.open)}/read`);
}
