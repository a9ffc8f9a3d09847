import { useOwnKeys } from './own-keys.ts';
import styles from './palette.module.css';
import { type Keyed, shortcutOf } from './shortcut-of.ts';
import { describeShortcut } from './shortcuts.ts';

/** The keys of a command. They stand from left to right, as on the keyboard. */
export function Keys({ of }: { of: Keyed }) {
  const shortcut = shortcutOf(of, useOwnKeys());
  if (!shortcut) return null;
  return (
    <span className={styles.keys} dir="ltr">
      {describeShortcut(shortcut).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
