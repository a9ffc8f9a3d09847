import { AlertTriangle, CircleCheck, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './notice.module.css';

const icons = { info: Info, success: CircleCheck, danger: AlertTriangle };

/** A message in the page. Shape and words say its kind besides colour. */
export function Notice({ kind = 'info', children }: { kind?: keyof typeof icons; children: ReactNode }) {
  const Icon = icons[kind];
  return (
    <div className={styles.notice} data-kind={kind} role={kind === 'danger' ? 'alert' : 'status'}>
      <Icon size={18} aria-hidden />
      <div>{children}</div>
    </div>
  );
}
