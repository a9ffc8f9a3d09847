import type { ReactNode } from 'react';
import styles from './page.module.css';

interface PageProps {
  title: string;
  hint?: string;
  action?: ReactNode;
  children: ReactNode;
}

/** A page of the workspace: title, action, content. */
export function Page({ title, hint, action, children }: PageProps) {
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div>
          <h1>{title}</h1>
          {hint && <p className={styles.hint}>{hint}</p>}
        </div>
        {action}
      </header>
      {children}
    </div>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
