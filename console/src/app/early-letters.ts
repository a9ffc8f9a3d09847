import { isCommand } from './pressed-key.ts';

let letters: string | undefined;
let giveUp = () => {};

/**
 * Keeps what is typed from now on for a field that is still to come, as the search of a palette whose script is being loaded. The
 * focus stays where it is, so that it comes back there; no other part of the page hears of these keys. Escape gives up.
 */
export function keepLetters(onEscape: () => void): void {
  giveUp = onEscape;
  if (letters !== undefined) return;
  letters = '';
  addEventListener('keydown', keep, true);
}

/** What was typed until now. From here on, keys reach the page again. */
export function takeLetters(): string {
  const taken = letters ?? '';
  letters = undefined;
  removeEventListener('keydown', keep, true);
  return taken;
}

function keep(event: KeyboardEvent): void {
  const { key } = event;
  if (isCommand(event)) return;
  if (key === 'Escape') giveUp();
  else if (key === 'Backspace') letters = letters?.slice(0, -1);
  else if ([...key].length === 1) letters += key;
  // An Enter would send what stands in the composer.
  event.preventDefault();
  event.stopImmediatePropagation();
}
