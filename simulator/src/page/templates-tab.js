import { call } from './api.js';
import { field } from './dialog.js';
import { el } from './element.js';
import { store } from './store.js';
import { attempt } from './toast.js';

const statuses = ['PENDING', 'APPROVED', 'REJECTED', 'PAUSED', 'DISABLED', 'FLAGGED', 'IN_APPEAL', 'DELETED'];
const reasons = [
  'INVALID_FORMAT',
  'ABUSIVE_CONTENT',
  'INCORRECT_CATEGORY',
  'PROMOTIONAL',
  'SCAM',
  'TAG_CONTENT_MISMATCH',
];
/** The chosen reason of the next rejection, by template id. */
const chosen = new Map();

/** The templates of all accounts with the reviewer's decisions. */
export function templatesTab() {
  return [
    el('p', { class: 'hint' }, 'You are the reviewer: what you change here is reported to the business.'),
    store.templates.length === 0 ? el('p', { class: 'hint' }, 'No template was created yet.') : '',
    ...store.templates.map(templateCard),
    el('h3', {}, 'What the end of a name orders'),
    el(
      'ul',
      { class: 'endings' },
      ...store.template_scripts.map(({ ending, description }) =>
        el('li', {}, el('code', {}, `…${ending}`), ` ${description}`),
      ),
    ),
  ];
}

function templateCard(template) {
  const patch = attempt((change) => call('PATCH', `templates/${template.id}`, change));
  const body = template.components.find(({ type }) => type === 'BODY');
  const reason = chosen.get(template.id) ?? reasons[0];
  const judge = (status) => patch({ status, ...(status === 'REJECTED' && { reason }) });
  return el(
    'details',
    { open: open.has(template.id), ontoggle: (event) => remember(template.id, event.target.open) },
    el(
      'summary',
      {},
      el('bdi', {}, template.name),
      el('span', { class: 'muted' }, ` ${template.language}`),
      el('span', { class: 'count' }, template.status),
    ),
    el('p', { class: 'template-body', dir: 'auto' }, body?.text ?? ''),
    el(
      'div',
      { class: 'grid' },
      choice('Status', template.status, statuses, judge),
      choice('Reason to reject', reason, reasons, (value) => chosen.set(template.id, value)),
      choice('Quality', template.quality, ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'], (quality) => patch({ quality })),
      choice('Category', template.category, ['UTILITY', 'MARKETING', 'AUTHENTICATION'], (category) =>
        patch({ category }),
      ),
    ),
    template.rejected_reason === 'NONE' ? '' : el('p', { class: 'warning' }, `Rejected: ${template.rejected_reason}`),
  );
}

/** Open cards: a change redraws all cards. */
const open = new Set();

function remember(id, isOpen) {
  if (isOpen) open.add(id);
  else open.delete(id);
}

function choice(label, value, options, change) {
  const all = options.includes(value) ? options : [value, ...options];
  return field(
    label,
    el(
      'select',
      {
        onchange: (event) => {
          // The change redraws the card, but a focus inside would keep the old one.
          event.target.blur();
          return change(event.target.value);
        },
      },
      ...all.map((one) => el('option', { value: one, selected: one === value }, one)),
    ),
  );
}
