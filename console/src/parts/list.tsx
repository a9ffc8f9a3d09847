import type { ReactNode } from 'react';
import styles from './list.module.css';

/** A list of things of one kind, each a row. */
export function List({ children }: { children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>;
}

interface RowProps {
  /** In front of the text: an avatar or an icon. */
  start?: ReactNode;
  /** The name of the thing, with its badges. */
  title: ReactNode;
  /** Behind the text: states and actions. */
  end?: ReactNode;
  /** Lines below the title. */
  children?: ReactNode;
}

export function Row({ start, title, end, children }: RowProps) {
  return (
    <li className={styles.row}>
      {start}
      <div className={styles.text}>
        <div className={styles.title}>{title}</div>
        {children}
      </div>
      {end && <div className={styles.end}>{end}</div>}
    </li>
  );
}

/** A line of lesser weight. */
export function Soft({ children }: { children: ReactNode }) {
  return <p className={styles.soft}>{children}</p>;
}
