import { call } from './api.js';
import { field } from './dialog.js';
import { el } from './element.js';
import { store } from './store.js';
import { attempt } from './toast.js';

const save = attempt((change) => call('PATCH', 'settings', change));

const switches = {
  personas: 'Customers answer by themselves',
  scripts: 'Numbers order failures',
  window: 'Enforce the 24-hour window',
  throughput: 'Enforce 80 messages a second',
  pair_rate: 'Enforce the rate for one recipient',
  user_ids: 'User ids in webhooks',
  media_urls: 'Addresses in media webhooks',
};

export function settingsTab() {
  if (store.settings === null) return [];
  const { delays, switches: set, now } = store.settings;
  return [
    el('h3', {}, 'Statuses, in milliseconds'),
    el('p', { class: 'hint' }, 'Empty: not reported. With “read” empty, a chat is read when you look at it.'),
    el('div', { class: 'grid' }, ...Object.entries(delays).map(([name, value]) => delayField(name, value))),
    el('h3', {}, 'Switches'),
    ...Object.entries(switches).map(([name, label]) =>
      switchField(label, set[name], (on) => save({ switches: { [name]: on } })),
    ),
    el('h3', {}, 'Business numbers'),
    ...store.numbers.map(numberCard),
    el('h3', {}, 'Clock'),
    el('p', { class: 'hint' }, new Date(now).toLocaleString()),
    el(
      'div',
      { class: 'line' },
      ...[1, 23, 25].map((hours) =>
        el(
          'button',
          { type: 'button', onclick: attempt(() => call('POST', 'clock', { advance_seconds: hours * 3600 })) },
          `+${hours} h`,
        ),
      ),
    ),
  ];
}

function delayField(name, value) {
  const change = (event) => save({ delays: { [name]: event.target.value === '' ? null : Number(event.target.value) } });
  return field(name.replace('_ms', ''), el('input', { type: 'number', min: 0, value: value ?? '', onchange: change }));
}

function switchField(label, on, change) {
  return el(
    'label',
    { class: 'switch' },
    el('span', {}, label),
    el('input', { type: 'checkbox', role: 'switch', checked: on, onchange: (event) => change(event.target.checked) }),
  );
}

function numberCard(number) {
  const patch = attempt((change) => call('PATCH', `numbers/${number.phone_number_id}`, change));
  const choice = (name, label, options) =>
    field(
      label,
      el(
        'select',
        { onchange: (event) => patch({ [name]: event.target.value }) },
        ...options.map((one) => el('option', { value: one, selected: one === number[name] }, one)),
      ),
    );
  return el(
    'details',
    {},
    el('summary', {}, el('bdi', {}, number.verified_name), el('span', { class: 'muted' }, ` ${number.display_phone}`)),
    el(
      'div',
      { class: 'grid' },
      choice('quality_rating', 'Quality', ['GREEN', 'YELLOW', 'RED', 'UNKNOWN']),
      choice('status', 'Status', ['CONNECTED', 'FLAGGED', 'RESTRICTED', 'BANNED', 'DISCONNECTED']),
      choice('tier', 'Tier', ['TIER_250', 'TIER_1K', 'TIER_2K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED']),
    ),
    switchField('Token expired', number.token_expired, (on) => patch({ token_expired: on })),
  );
}
