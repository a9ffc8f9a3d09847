import { field, openForm } from './dialog.js';
import { el } from './element.js';

const storageKey = 'majlis-control-token';

/** A browser of the simulator's own machine gets the token with the page. */
let token = document.querySelector('meta[name="control-token"]').content || localStorage.getItem(storageKey) || '';

export const bearer = () => ({ authorization: `Bearer ${token}` });

/** For pictures and the stream of changes, which cannot send headers. */
export function withToken(path) {
  return `${path}${path.includes('?') ? '&' : '?'}access_token=${encodeURIComponent(token)}`;
}

/** Asks until the simulator takes the token. */
export async function requireControlToken() {
  while (token === '' || (await fetch('control/settings', { headers: bearer() })).status === 401) {
    token = await ask();
    localStorage.setItem(storageKey, token);
  }
}

function ask() {
  return new Promise((resolve) => {
    const input = el('input', { name: 'token', type: 'password', required: true, autocomplete: 'off' });
    openForm({
      title: 'This simulator runs on another machine',
      fields: [field('Control token, as npm start prints it', input)],
      action: 'Open',
      onSubmit: (values) => resolve(values.token.trim()),
      required: true,
    });
  });
}
