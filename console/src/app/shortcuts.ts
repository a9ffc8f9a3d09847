import { sessionStore } from '../live/session.ts';
import { commandStore } from './commands.ts';
import { ignoreStrayPresses } from './double-press.ts';
import { followTyping, isTypedOn } from './lost-field.ts';
import { ownKeysOf } from './own-keys.ts';
import { codeOf, pressedKey } from './pressed-key.ts';
import type { Shortcut } from './shortcut.ts';
import { shortcutOf } from './shortcut-of.ts';
import { isStrayKey } from './stray-keys.ts';

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const sequenceMs = 1_500;

let first: { code: string; at: number } | undefined;

/** Follows the keyboard: runs the command whose shortcut is pressed. */
export function startShortcuts(): void {
  addEventListener('keydown', leaveToInputMethod, true);
  followTyping();
  ignoreStrayPresses();
  document.addEventListener('keydown', press);
}

/** The keys of a composition, as the Enter that ends it, belong to the input method. Safari tells the last one by its number alone. */
function leaveToInputMethod(event: KeyboardEvent): void {
  if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
}

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.getModifierState('AltGraph')) return;
  const hasMod = isMac ? event.metaKey : event.ctrlKey;
  if (!hasMod && (event.ctrlKey || event.metaKey || !maySingleKeysAct(event))) return;
  if (!hasMod && isTypedOn(event)) return;
  const after = takeFirst(event.timeStamp);
  // The latest component wins: what is in front was shown last.
  const own = ownKeysOf(sessionStore.get());
  const command = commandStore.get().findLast((one) => {
    const shortcut = shortcutOf(one, own);
    return shortcut && isPressed(shortcut, event, hasMod, after);
  });
  if (command) {
    event.preventDefault();
    if (isInFront(event) || isStrayKey(event, command.id)) return;
    if (!event.repeat || command.isKeyOnly) command.run();
  } else if (!hasMod && startsSequence(codeOf(event))) {
    first = { code: codeOf(event), at: event.timeStamp };
  }
}

/** Whether the focus is in a dialog or a menu. The commands belong to the page behind it, and must not open a second layer. */
function isInFront({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || target === document.body) return false;
  return !target.closest('#root, [data-react-aria-top-layer]');
}

function takeFirst(now: number): string | undefined {
  const code = first && now - first.at < sequenceMs ? first.code : undefined;
  first = undefined;
  return code;
}

function startsSequence(code: string): boolean {
  const own = ownKeysOf(sessionStore.get());
  return commandStore.get().some((command) => shortcutOf(command, own)?.after === code);
}

function isPressed({ code, mod, shift, after }: Shortcut, event: KeyboardEvent, hasMod: boolean, before?: string) {
  if (after !== before || Boolean(mod) !== hasMod) return false;
  const pressed = pressedKey(event);
  return pressed.code === code && pressed.shift === Boolean(shift);
}

// Places where a letter is text, or chooses by its first letter.
const takesLetters =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]:not([contenteditable=false]), ' +
  '[role=textbox], [role=combobox], [role=dialog], [role=alertdialog], [role=menu], [role=listbox], [aria-haspopup=listbox]';

function maySingleKeysAct({ target }: KeyboardEvent): boolean {
  const state = sessionStore.get();
  if (state.type !== 'signed_in' || !state.session.person.single_key_shortcuts) return false;
  return !(target instanceof Element && target.closest(takesLetters));
}
