import type { ReactNode } from 'react';
import styles from './avatar.module.css';

interface Props {
  name: string;
  size?: 'xs' | 's' | 'm';
  /** A sign at its corner. */
  children?: ReactNode;
}

const hues = 6;

/** The sign of a name: its first letter, or the last two digits of a number. The same name has the same hue everywhere. */
export function Avatar({ name, size = 'm', children }: Props) {
  const letter = /^\+\d+$/.test(name) ? name.slice(-2) : firstLetterOf(name);
  // As content of the style, the letter is no part of the label of a button.
  return (
    <span className={styles.avatar} data-size={size} data-hue={hueOf(name)} data-letter={letter} aria-hidden>
      {children}
    </span>
  );
}

const graphemes = new Intl.Segmenter();

/** One grapheme, as people see it. */
function firstLetterOf(name: string): string {
  const [first] = graphemes.segment(name.trim());
  return first?.segment.toLocaleUpperCase() ?? '?';
}

function hueOf(name: string): number {
  let sum = 0;
  for (const letter of name.trim()) sum = (sum * 31 + letter.codePointAt(0)!) % 65_521;
  return sum % hues;
}
