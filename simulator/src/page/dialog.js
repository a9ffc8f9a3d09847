import { byId, el } from './element.js';

/** Shows a form in the page's one dialog; `onSubmit` gets its fields. A required form cannot be cancelled. */
export function openForm({ title, fields, action, onSubmit, required = false }) {
  const dialog = byId('dialog');
  const form = el(
    'form',
    {
      method: 'dialog',
      onsubmit: (event) => {
        event.preventDefault();
        const values = Object.fromEntries(new FormData(form));
        dialog.close();
        onSubmit(values);
      },
    },
    el('h2', {}, title),
    ...fields,
    el(
      'div',
      { class: 'dialog-foot' },
      !required && el('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'),
      el('button', { type: 'submit', class: 'primary' }, action),
    ),
  );
  dialog.className = '';
  dialog.setAttribute('closedby', required ? 'none' : 'closerequest');
  dialog.replaceChildren(form);
  dialog.showModal();
  form.querySelector('input:not([readonly]), select')?.focus();
}

export function field(label, input) {
  return el('label', { class: 'field' }, el('span', {}, label), input);
}
