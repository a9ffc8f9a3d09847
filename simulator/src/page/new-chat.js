import { call } from './api.js';
import { field, openForm } from './dialog.js';
import { el } from './element.js';
import { openChat, store } from './store.js';
import { attempt, toast } from './toast.js';

/** Asks for the business number and the customer. */
export function startChat({ phone = '', name = '' } = {}) {
  if (store.numbers.length === 0) {
    toast('There is no business number yet. Add a channel to the service first.');
    return;
  }
  const options = store.numbers.map((number) =>
    el(
      'option',
      { value: number.phone_number_id, selected: number.phone_number_id === store.open?.phone_number_id },
      `${number.verified_name} · ${number.display_phone}`,
    ),
  );
  openForm({
    title: 'New chat as a customer',
    fields: [
      field('To the business', el('select', { name: 'phone_number_id' }, ...options)),
      field(
        'Your number',
        el('input', {
          name: 'phone',
          type: 'tel',
          required: true,
          pattern: '[+0-9 \\-]{7,20}',
          value: phone,
          placeholder: '+968 9123 4567',
        }),
      ),
      field('Your name', el('input', { name: 'name', dir: 'auto', value: name, placeholder: 'Salma' })),
    ],
    action: 'Open chat',
    onSubmit: attempt(async ({ phone_number_id, phone: typed, name: called }) => {
      const wa_id = typed.replace(/\D/g, '');
      if (called) await call('PATCH', `customers/${wa_id}`, { name: called });
      await openChat({ phone_number_id, wa_id });
      document.getElementById('composer-text').focus();
    }),
  });
}
