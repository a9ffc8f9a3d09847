import { KeyCaps } from '../parts/key-caps.tsx';
import { describeShortcut } from './describe-shortcut.ts';
import { useOwnKeys } from './own-keys.ts';
import { type Keyed, shortcutOf } from './shortcut-of.ts';

/** The keys of a command. */
export function Keys({ of }: { of: Keyed }) {
  const shortcut = shortcutOf(of, useOwnKeys());
  return shortcut ? <KeyCaps keys={describeShortcut(shortcut)} /> : null;
}
