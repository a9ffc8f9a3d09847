import { Check } from 'lucide-react';
import type { RefObject } from 'react';
import { Menu as AriaMenu, MenuItem, Popover, type Selection } from 'react-aria-components';
import type { MenuEntry } from './menu-entry.ts';
import popover from './popover.module.css';

interface Props {
  label: string;
  entries: readonly MenuEntry[];
  /** The button that the list stands beside. */
  anchor: RefObject<HTMLElement | null>;
  onAction: (id: string) => void;
  onClose: () => void;
}

/** The open list of a menu. */
export function MenuList({ label, entries, anchor, onAction, onClose }: Props) {
  const current: Selection = new Set(entries.filter(({ isCurrent }) => isCurrent).map(({ id }) => id));
  return (
    <Popover
      className={popover.popover!}
      aria-label={label}
      triggerRef={anchor}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      placement="bottom start"
    >
      <AriaMenu
        className={popover.items!}
        aria-label={label}
        items={entries}
        autoFocus="first"
        onClose={onClose}
        onAction={(id) => onAction(String(id))}
        {...(current.size > 0 && { selectionMode: 'single', selectedKeys: current })}
      >
        {({ id, label: text, icon, detail }) => (
          <MenuItem id={id} textValue={text} className={popover.item!}>
            {icon}
            <bdi className={popover.text}>{text}</bdi>
            {detail && <span className={popover.detail}>{detail}</span>}
            {current.size > 0 && <Check size={16} className={popover.check} aria-hidden />}
          </MenuItem>
        )}
      </AriaMenu>
    </Popover>
  );
}
