import type { ReactNode } from 'react';
import styles from './dialog.module.css';

/** The buttons at the end of a dialog. A form has them too, without the code of the dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
