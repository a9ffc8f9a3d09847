import { AlertTriangle, CircleCheck, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './notice.module.css';

const icons = { info: Info, success: CircleCheck, danger: AlertTriangle };

interface Props {
  kind?: keyof typeof icons;
  action?: ReactNode;
  children: ReactNode;
}

/** A message in the page. Shape and words say its kind besides colour. */
export function Notice({ kind = 'info', action, children }: Props) {
  const Icon = icons[kind];
  return (
    <div className={styles.notice} data-kind={kind} role={kind === 'danger' ? 'alert' : 'status'}>
      <Icon size={18} aria-hidden />
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  );
}
