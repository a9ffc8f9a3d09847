import { call } from './api.js';
import { withToken } from './control-token.js';
import { byId } from './element.js';
import { announce, isOpen, keyOf, load, readOpen, store } from './store.js';

/** Updates the store from the stream of changes; each new connection reloads first. */
export function followChanges() {
  const source = new EventSource(withToken('control/events'));
  const on = (name, run) => source.addEventListener(name, (event) => run(JSON.parse(event.data)));

  source.addEventListener('open', () => {
    showConnection('live');
    void load();
  });
  source.addEventListener('error', () => showConnection('not connected'));
  on('message', noteMessage);
  on('conversation', (chat) => {
    store.chats.set(keyOf(chat), chat);
    announce('chats');
    if (isOpen(chat)) announce('head');
  });
  on('delivery', (delivery) => {
    store.deliveries = [delivery, ...store.deliveries.filter((one) => one.id !== delivery.id)].slice(0, 50);
    announce('deliveries');
  });
  on('numbers', async () => {
    store.numbers = await call('GET', 'numbers');
    announce('numbers');
    announce('chats');
  });
  on('settings', async () => {
    store.settings = await call('GET', 'settings');
    announce('settings');
  });
  on('templates', async () => {
    store.templates = await call('GET', 'templates');
    announce('templates');
  });
  on('reset', () => {
    store.open = null;
    store.messages.clear();
    void load();
    announce('opened');
  });
  on('lagged', () => void load());
}

function showConnection(text) {
  const place = byId('connection');
  place.textContent = text;
  place.className = text === 'live' ? 'live' : '';
}

function noteMessage(message) {
  const key = keyOf(message);
  const known = store.chats.get(key);
  const isNew = isOpen(message) ? !store.messages.has(message.id) : message.status === 'accepted';
  if (isOpen(message)) {
    store.messages.set(message.id, message);
    announce('message', message);
    if (isNew && message.direction === 'outbound') void readOpen();
  } else if (isNew && message.direction === 'outbound') store.unread.set(key, (store.unread.get(key) ?? 0) + 1);

  const newest = known === undefined || message.at >= known.last_at;
  const { text, direction, status } = message;
  store.chats.set(key, {
    ...(known ?? {
      phone_number_id: message.phone_number_id,
      wa_id: message.wa_id,
      name: '',
      window_open: false,
      typing: false,
    }),
    ...(newest && { last_at: message.at, last: { text, direction, status } }),
    ...(isNew && direction === 'outbound' && { typing: false }),
  });
  announce('chats');
  if (isOpen(message)) announce('head');
}
