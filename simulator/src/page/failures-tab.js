import { el } from './element.js';
import { startChat } from './new-chat.js';
import { store } from './store.js';

/** An Omani mobile number: country, two digits, and the six digits of the script. */
const prefix = '+96891';

const titles = {
  refused: 'Refused in the answer',
  'fails later': 'Accepted, then failed',
  connection: 'The connection',
  statuses: 'Statuses',
};

export function failuresTab() {
  if (store.settings === null) return [];
  const groups = Map.groupBy(store.scripts, (script) => script.group);
  return [
    el(
      'p',
      { class: 'hint' },
      'The last six digits of the recipient order what happens to a send. Take a number, and let the business send to it.',
    ),
    store.settings.switches.scripts ? '' : el('p', { class: 'warning' }, 'Scripts are switched off.'),
    ...[...groups].map(([group, scripts]) =>
      el(
        'details',
        { open: group !== 'refused' },
        el('summary', {}, titles[group], el('span', { class: 'count' }, String(scripts.length))),
        el('ul', { class: 'scripts' }, ...scripts.map(scriptItem)),
      ),
    ),
  ];
}

/** Without the part that the group's heading says. */
function briefly(description) {
  return description.replace(
    /^(?:accepted, then failed|refused) with \d+(?:, (the first \d+ times))?: (.*)$/,
    (_whole, often, meaning) => (often ? `${meaning} (${often})` : meaning),
  );
}

function scriptItem({ suffix, description, name }) {
  const take = () => startChat({ phone: `${prefix}${suffix}`, name: briefly(description).slice(0, 40) });
  return el(
    'li',
    {},
    el(
      'button',
      { type: 'button', title: name, onclick: take },
      el('code', {}, `…${suffix}`),
      el('span', {}, briefly(description)),
    ),
  );
}
