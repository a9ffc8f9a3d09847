import styles from './avatar.module.css';

/** The first letter of a name, as people see it: one grapheme. */
export function Avatar({ name, size = 'm' }: { name: string; size?: 'xs' | 's' | 'm' }) {
  const [first] = new Intl.Segmenter().segment(name.trim());
  const letter = first?.segment.toLocaleUpperCase() ?? '?';
  // As content of the style, the letter is no part of the label of a button.
  return <span className={styles.avatar} data-size={size} data-letter={letter} aria-hidden />;
}
