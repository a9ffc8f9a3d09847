import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu as AriaMenu, Button, MenuItem, MenuTrigger, Popover, type Selection } from 'react-aria-components';
import styles from './menu.module.css';
import popover from './popover.module.css';

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
      <Popover className={popover.popover!}>
        <AriaMenu
          className={popover.items!}
          items={entries}
          onAction={(id) => onAction(String(id))}
          {...(current.size > 0 && { selectionMode: 'single', selectedKeys: current })}
        >
          {({ id, label: text, icon }) => (
            <MenuItem id={id} textValue={text} className={popover.item!}>
              {icon}
              <bdi>{text}</bdi>
              {current.size > 0 && <Check size={16} className={popover.check} aria-hidden />}
            </MenuItem>
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
