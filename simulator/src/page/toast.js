import { byId } from './element.js';

let hide;

export function toast(text) {
  const box = byId('toast');
  box.textContent = text;
  box.classList.add('shown');
  clearTimeout(hide);
  hide = setTimeout(() => box.classList.remove('shown'), 4_000);
}

/** Runs an action and shows its error. */
export function attempt(run) {
  return async (...given) => {
    try {
      return await run(...given);
    } catch (error) {
      toast(error.message);
      return undefined;
    }
  };
}
