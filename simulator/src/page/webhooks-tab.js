import { el } from './element.js';
import { store } from './store.js';

export function webhooksTab() {
  if (store.deliveries.length === 0) return [el('p', { class: 'hint' }, 'No webhook was posted yet.')];
  return [
    el('p', { class: 'hint' }, 'The latest webhooks to the business, and what it answered.'),
    el('ul', { class: 'deliveries' }, ...store.deliveries.map(item)),
  ];
}

function item({ id, at, carries, state, attempts }) {
  const last = attempts.at(-1);
  const what = Object.entries(carries).map(([name, count]) => `${count} ${wordFor(name, count)}`);
  const answer = last === undefined ? '…' : (last.status ?? last.error ?? 'no answer');
  return el(
    'li',
    { class: state },
    el('span', { class: 'delivery-what' }, `#${id} ${what.join(', ')}`),
    el('span', { class: 'delivery-answer' }, String(answer)),
    el(
      'small',
      {},
      `${new Date(at).toLocaleTimeString()} · ${state}${attempts.length > 1 ? ` · ${attempts.length} attempts` : ''}${last ? ` · ${last.took_ms} ms` : ''}`,
    ),
  );
}

function wordFor(name, count) {
  const words = name.replaceAll('_', ' ');
  return count === 1 ? words.replace(/(?<=(message|status))(s|es)$/, '') : words;
}
