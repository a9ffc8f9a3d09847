import { sessionStore } from '../live/session.ts';
import { commandStore } from './commands.ts';
import { ownKeysOf } from './own-keys.ts';
import type { Shortcut } from './shortcut.ts';
import { shortcutOf } from './shortcut-of.ts';

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const sequenceMs = 1_500;

let first: { code: string; at: number } | undefined;

/** Follows the keyboard: runs the command whose shortcut is pressed. */
export function startShortcuts(): void {
  document.addEventListener('keydown', press);
}

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey || event.getModifierState('AltGraph')) return;
  const hasMod = isMac ? event.metaKey : event.ctrlKey;
  if (!hasMod && (event.ctrlKey || event.metaKey || !maySingleKeysAct(event))) return;
  const after = takeFirst(event.timeStamp);
  // The latest component wins: what is in front was shown last.
  const own = ownKeysOf(sessionStore.get());
  const command = commandStore.get().findLast((one) => {
    const shortcut = shortcutOf(one, own);
    return shortcut && isPressed(shortcut, event, hasMod, after);
  });
  if (command) {
    event.preventDefault();
    if (!event.repeat || command.isKeyOnly) command.run();
  } else if (!hasMod && startsSequence(event.code)) {
    first = { code: event.code, at: event.timeStamp };
  }
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
  // Layouts have the question mark in different places.
  if (code === 'Slash' && (event.key === '?' || event.key === '؟')) return Boolean(shift);
  return event.code === code && event.shiftKey === Boolean(shift);
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

const names: Record<string, string> = {
  Slash: '/',
  Comma: ',',
  Period: '.',
  Semicolon: ';',
  Quote: "'",
  Minus: '-',
  Equal: '=',
  Backslash: '\\',
  Backquote: '`',
  BracketLeft: '[',
  BracketRight: ']',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
};

/** The keys of a shortcut as they stand on a keyboard, in the order in which they are pressed. */
export function describeShortcut({ code, mod, shift, after }: Shortcut): string[] {
  if (code === 'Slash' && shift) return ['?'];
  const name = names[code] ?? code.replace(/^(Key|Digit)/, '');
  return [
    ...(after ? [after.replace(/^Key/, '')] : []),
    ...(mod ? [isMac ? '⌘' : 'Ctrl'] : []),
    ...(shift ? [isMac ? '⇧' : 'Shift'] : []),
    name,
  ];
}
