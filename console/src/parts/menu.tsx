import type { ReactNode } from 'react';
import { Menu as AriaMenu, Button, MenuItem, MenuTrigger, Popover, type Selection } from 'react-aria-components';
import styles from './menu.module.css';

export interface MenuEntry {
  id: string;
  label: string;
  icon?: ReactNode;
  isCurrent?: boolean;
}

interface Props {
  label: string;
  entries: readonly MenuEntry[];
  onAction: (id: string) => void;
  children: ReactNode;
}

/** A button that opens a list of actions or places. */
export function Menu({ label, entries, onAction, children }: Props) {
  const current: Selection = new Set(entries.filter(({ isCurrent }) => isCurrent).map(({ id }) => id));
  return (
    <MenuTrigger>
      <Button className={styles.button!} aria-label={label}>
        {children}
      </Button>
      <Popover className={styles.popover!}>
        <AriaMenu
          className={styles.menu!}
          items={entries}
          onAction={(id) => onAction(String(id))}
          {...(current.size > 0 && { selectionMode: 'single', selectedKeys: current })}
        >
          {({ id, label: text, icon }) => (
            <MenuItem id={id} textValue={text} className={styles.item!}>
              {icon}
              <bdi>{text}</bdi>
            </MenuItem>
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
