import { isCommand } from './pressed-key.ts';

/** A longer pause ends the typing: the person has looked up. */
const pauseMs = 1_500;
const textField = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, [contenteditable]';

/** Where the last letter went. */
let typed: { field: Element; at: number } | undefined;

/** Follows where a person types. A key that writes nothing ends it, and so does the pointer. */
export function followTyping(): void {
  addEventListener('keydown', note, true);
  addEventListener('pointerdown', end, true);
}

function end(): void {
  typed = undefined;
}

function note(event: KeyboardEvent): void {
  const { key, target, timeStamp: at } = event;
  if (['Shift', 'AltGraph', 'CapsLock'].includes(key)) return;
  const writes = ([...key].length === 1 || key === 'Backspace') && !isCommand(event);
  if (!writes) end();
  else if (target instanceof Element && target.matches(textField)) typed = { field: target, at };
}

/** Whether a letter belongs to a field that was taken from under the person's hands, as by the removal of what it changed. */
export function isTypedOn({ timeStamp: at }: KeyboardEvent): boolean {
  if (!typed || typed.field.isConnected || at - typed.at > pauseMs) return false;
  typed.at = at;
  return true;
}
