import { byId, el } from './element.js';

/** The rows of a list message, as a sheet from below. */
export function openList({ button, sections }, onPick) {
  const dialog = byId('dialog');
  const row = ({ id, title, description }) =>
    el(
      'button',
      {
        type: 'button',
        class: 'list-row',
        onclick: () => {
          dialog.close();
          void onPick(id);
        },
      },
      el('span', {}, el('strong', { dir: 'auto' }, title), description && el('small', { dir: 'auto' }, description)),
      el('span', { class: 'list-dot', 'aria-hidden': 'true' }),
    );
  dialog.className = 'sheet';
  dialog.replaceChildren(
    el('h2', { dir: 'auto' }, button),
    ...sections
      .flatMap((section) => [section.title && el('h3', { dir: 'auto' }, section.title), ...section.rows.map(row)])
      .filter(Boolean),
    el('div', { class: 'dialog-foot' }, el('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel')),
  );
  dialog.showModal();
}
