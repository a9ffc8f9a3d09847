import type { Shortcut } from './shortcut.ts';
import { isMac } from './shortcuts.ts';

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
