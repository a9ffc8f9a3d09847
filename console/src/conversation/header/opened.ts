import type { MenuKind } from './use-action-menus.tsx';

/** What stands open over the header: a menu, the menu of all actions, or a dialog. */
export type Opened = MenuKind | 'all' | 'close' | 'own_time';
