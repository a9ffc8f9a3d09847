import type { ReactNode } from 'react';
import styles from './page.module.css';

/** A page of settings: title, actions, content. */
export function Page({
  title,
  hint,
  action,
  children,
}: {
  title: string;
  hint?: string;
  action?: ReactNode;
  children: ReactNode;
}) {
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

export const listStyle = styles.list!;
export const rowStyle = styles.row!;
export const rowTextStyle = styles.text!;
export const softStyle = styles.soft!;
export const formStyle = styles.form!;
export const tableStyle = styles.table!;
export const codesStyle = styles.codes!;
