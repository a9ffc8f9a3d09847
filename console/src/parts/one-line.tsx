import styles from './one-line.module.css';

/**
 * A person's own text on one line. Its end is cut, whichever direction it has, and it stands where a line of the page begins.
 * `isCode`: a number or an address, which is written from left to right in each language.
 */
export function OneLine({ children, isCode = false }: { children: string; isCode?: boolean }) {
  return (
    <span className={styles.line}>
      <bdi {...(isCode && { dir: 'ltr' })}>{children}</bdi>
    </span>
  );
}
