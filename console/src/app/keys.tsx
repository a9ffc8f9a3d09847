import type { Shortcut } from './commands.ts';
import styles from './palette.module.css';
import { describeShortcut } from './shortcuts.ts';

/** The keys of a shortcut. They stand from left to right, as on the keyboard. */
export function Keys({ shortcut }: { shortcut: Shortcut }) {
  return (
    <span className={styles.keys} dir="ltr">
      {describeShortcut(shortcut).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
