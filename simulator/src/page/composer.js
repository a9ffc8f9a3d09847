import { call, uploadFile } from './api.js';
import { field, openForm } from './dialog.js';
import { byId, el } from './element.js';
import { icon } from './icon.js';
import { listen, store } from './store.js';
import { attempt } from './toast.js';

const emoji = [...'😀😂😍😎🤔😢😡👍👎🙏👋💪🎉🌹☕🌴🐪⭐🔥✅❌'].map(String).concat('❤️');
let quoted = null;

/** The customer's composer. Enter sends, Shift+Enter breaks the line, Escape drops a quotation. */
export function showComposer() {
  const text = byId('composer-text');
  byId('composer').addEventListener('submit', (event) => {
    event.preventDefault();
    void sendText();
  });
  text.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') quote(null);
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void sendText();
  });
  text.addEventListener('input', grow);
  byId('emoji-button').append(icon('emoji'));
  byId('attach-button').append(icon('attach'));
  byId('send-button').append(icon('send'));
  byId('emoji-menu').append(
    ...emoji.map((one) => el('button', { type: 'button', 'aria-label': one, onclick: () => insert(one) }, one)),
  );
  byId('attach-menu').append(
    attachItem('file', 'Photo, video, sound or file', () => byId('file').click()),
    attachItem('pin', 'Location', askLocation),
    attachItem('person', 'Contact card', askContact),
  );
  byId('file').addEventListener('change', attempt(sendFile));
  listen('opened', () => quote(null));
}

export function quote(message) {
  quoted = message;
  const bar = byId('quote-bar');
  bar.hidden = message === null;
  if (message === null) return;
  const who = message.direction === 'inbound' ? 'You' : 'The business';
  bar.replaceChildren(
    el('span', {}, el('strong', {}, who), el('span', { dir: 'auto' }, message.text)),
    el('button', { type: 'button', 'aria-label': 'Do not quote', onclick: () => quote(null) }, '✕'),
  );
  byId('composer-text').focus();
}

const write = attempt(async (type, content) => {
  const { phone_number_id, wa_id } = store.open;
  const context_id = quoted?.id;
  quote(null);
  await call('POST', 'inbound', { phone_number_id, from: wa_id, type, content, ...(context_id && { context_id }) });
});

async function sendText() {
  const text = byId('composer-text');
  const body = text.value.trim();
  if (body === '' || store.open === null) return;
  text.value = '';
  grow();
  await write('text', { body });
}

async function sendFile() {
  const input = byId('file');
  const [file] = input.files;
  input.value = '';
  if (!file) return;
  const { id } = await uploadFile(file, store.open.phone_number_id);
  const [kind] = file.type.split('/');
  const type = file.type === 'image/webp' ? 'sticker' : ['image', 'video', 'audio'].includes(kind) ? kind : 'document';
  await write(type, { id, ...(type === 'document' && { filename: file.name }) });
}

function askLocation() {
  openForm({
    title: 'Send a location',
    fields: [
      field('Name', el('input', { name: 'name', value: 'Mutrah Souq', dir: 'auto' })),
      field('Address', el('input', { name: 'address', value: 'Mutrah, Muscat', dir: 'auto' })),
      field(
        'Latitude',
        el('input', {
          name: 'latitude',
          type: 'number',
          step: 'any',
          min: -90,
          max: 90,
          value: '23.61870',
          required: true,
        }),
      ),
      field(
        'Longitude',
        el('input', {
          name: 'longitude',
          type: 'number',
          step: 'any',
          min: -180,
          max: 180,
          value: '58.56450',
          required: true,
        }),
      ),
    ],
    action: 'Send',
    onSubmit: ({ name, address, latitude, longitude }) =>
      write('location', {
        latitude: Number(latitude),
        longitude: Number(longitude),
        ...(name && { name }),
        ...(address && { address }),
      }),
  });
}

function askContact() {
  openForm({
    title: 'Send a contact card',
    fields: [
      field('Name', el('input', { name: 'name', required: true, dir: 'auto' })),
      field('Phone', el('input', { name: 'phone', type: 'tel', required: true })),
    ],
    action: 'Send',
    onSubmit: ({ name, phone }) =>
      write('contacts', [
        {
          name: { formatted_name: name, first_name: name },
          phones: [{ phone, wa_id: phone.replace(/\D/g, ''), type: 'CELL' }],
        },
      ]),
  });
}

function attachItem(sign, label, run) {
  return el(
    'button',
    {
      type: 'button',
      onclick: () => {
        byId('attach-menu').hidePopover();
        run();
      },
    },
    icon(sign),
    label,
  );
}

function insert(one) {
  const text = byId('composer-text');
  text.setRangeText(one, text.selectionStart, text.selectionEnd, 'end');
  byId('emoji-menu').hidePopover();
  text.focus();
}

function grow() {
  const text = byId('composer-text');
  text.style.height = 'auto';
  text.style.height = `${Math.min(text.scrollHeight, 120)}px`;
}
