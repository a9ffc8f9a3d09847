import type { ReactNode } from 'react';
import styles from './empty.module.css';

interface Props {
  icon: ReactNode;
  title: string;
  /** Where nothing else is on the page. */
  isPage?: boolean;
  hint?: string;
  children?: ReactNode;
}

/** The state of a page or list that has nothing to show, and the way on. */
export function Empty({ icon, title, isPage = false, hint, children }: Props) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div className={styles.empty}>
      <span className={styles.icon}>{icon}</span>
      <Heading>{title}</Heading>
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
