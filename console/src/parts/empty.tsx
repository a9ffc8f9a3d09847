import type { ReactNode } from 'react';
import styles from './empty.module.css';

interface Props {
  icon: ReactNode;
  title: string;
  hint?: string;
  children?: ReactNode;
}

/** The state of a page or list that has nothing to show, and the way on. */
export function Empty({ icon, title, hint, children }: Props) {
  return (
    <div className={styles.empty}>
      <span className={styles.icon}>{icon}</span>
      <h2>{title}</h2>
      {hint && <p>{hint}</p>}
      {children}
    </div>
  );
}

export function Loading({ label }: { label: string }) {
  return (
    <div className={styles.empty} role="status">
      <span className={styles.spinner} aria-hidden />
      <p>{label}</p>
    </div>
  );
}
