import { bubble } from './bubble.js';
import { quote } from './composer.js';
import { byId, el } from './element.js';
import { keyOf, listen, store } from './store.js';

/** The messages of the open chat. A change redraws only its bubble. */
export function showThread() {
  listen('opened', drawAll);
  listen('message', drawOne);
  listen('head', drawTyping);
  keepAtEnd();
}

let atEnd = true;

/** Keeps the end of the chat visible when the thread shrinks, or when a picture or film arrives and takes its room. */
function keepAtEnd() {
  const thread = byId('thread');
  const stay = () => atEnd && showEnd();
  thread.addEventListener('scroll', () => {
    atEnd = thread.scrollHeight - thread.scrollTop - thread.clientHeight < 80;
  });
  new ResizeObserver(stay).observe(thread);
  // These events do not bubble.
  for (const arrival of ['load', 'loadedmetadata']) thread.addEventListener(arrival, stay, { capture: true });
}

function showEnd() {
  const thread = byId('thread');
  atEnd = true;
  thread.scrollTop = thread.scrollHeight;
}

const handlers = { onQuote: quote, onJump: jumpTo };

function drawAll() {
  const thread = byId('thread');
  thread.replaceChildren();
  let day = '';
  for (const message of store.messages.values()) {
    if (isOnItsTarget(message)) continue;
    day = addDay(thread, message, day);
    thread.append(bubble(message, handlers));
  }
  drawTyping();
  showEnd();
}

/** A reaction is drawn on its target. */
function isOnItsTarget({ type, content }) {
  return type === 'reaction' && store.messages.has(content.message_id);
}

function drawOne(message) {
  if (isOnItsTarget(message)) return;
  const thread = byId('thread');
  const wasAtEnd = thread.scrollHeight - thread.scrollTop - thread.clientHeight < 80;
  const known = find(message.id);
  const focus = known?.contains(document.activeElement)
    ? [...known.querySelectorAll('button, a')].indexOf(document.activeElement)
    : -1;
  const made = bubble(message, handlers);
  if (known) known.replaceWith(made);
  else {
    const previous = [...store.messages.values()].at(-2);
    addDay(thread, message, previous ? dayOf(previous.at) : '');
    thread.append(made);
    made.classList.add('new');
  }
  if (focus >= 0) made.querySelectorAll('button, a')[focus]?.focus();
  drawTyping();
  if (wasAtEnd || (!known && message.direction === 'inbound')) showEnd();
}

function addDay(thread, message, previous) {
  const day = dayOf(message.at);
  if (day !== previous) thread.append(el('div', { class: 'day' }, day));
  return day;
}

function dayOf(at) {
  return new Date(at).toLocaleDateString([], { weekday: 'long', day: 'numeric', month: 'long' });
}

let typingEnds;

function drawTyping() {
  const thread = byId('thread');
  thread.querySelector('.typing')?.remove();
  const chat = store.open && store.chats.get(keyOf(store.open));
  if (!chat?.typing) return;
  thread.append(el('div', { class: 'typing', 'aria-label': 'The business is typing' }, el('i'), el('i'), el('i')));
  showEnd();
  clearTimeout(typingEnds);
  typingEnds = setTimeout(() => {
    chat.typing = false;
    drawTyping();
  }, 25_000);
}

function jumpTo(id) {
  const row = find(id);
  row?.scrollIntoView({ block: 'center', behavior: 'smooth' });
  row?.classList.add('found');
  setTimeout(() => row?.classList.remove('found'), 1_200);
}

function find(id) {
  return byId('thread').querySelector(`[data-id="${CSS.escape(id)}"]`);
}
