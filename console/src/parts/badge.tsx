import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** A short state in words. */
export function Badge({ kind = 'plain', children }: { kind?: 'plain' | 'accent' | 'warning'; children: ReactNode }) {
  return (
    <span className={styles.badge} data-kind={kind}>
      {children}
    </span>
  );
}
