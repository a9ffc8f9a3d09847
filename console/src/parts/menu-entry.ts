import type { ReactNode } from 'react';

export interface MenuEntry {
  id: string;
  label: string;
  icon?: ReactNode;
  /** Behind the label, such as a count. */
  detail?: string;
  isCurrent?: boolean;
}
