import type { RefObject } from 'react';
import type { MenuKind } from './use-action-menus.tsx';

/** What stands open over the header: a menu, the menu of all actions, or a dialog. */
export type Opened = MenuKind | 'all' | 'close' | 'own_time';

/** A menu or a dialog, with the element that it stands beside. */
export interface Shown {
  opened: Opened;
  anchor: RefObject<HTMLElement | null>;
}
