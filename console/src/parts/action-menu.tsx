import { Check } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { Menu as AriaMenu, Header, MenuItem, MenuSection, Popover } from 'react-aria-components';
import styles from './action-menu.module.css';
import popover from './popover.module.css';

export interface ActionEntry {
  id: string;
  label: string;
  /** Behind the label or below it, as a time. */
  detail?: string;
  icon?: ReactNode;
  isCurrent?: boolean;
}

export interface ActionSection {
  id: string;
  title?: string;
  entries: readonly ActionEntry[];
}

interface Props {
  label: string;
  /** The element that the menu stands beside. */
  anchor: RefObject<HTMLElement | null>;
  sections: readonly ActionSection[];
  onAction: (id: string) => void;
  onClose: () => void;
}

/** A menu that a button, a shortcut or a command opens. */
export function ActionMenu({ label, anchor, sections, onAction, onClose }: Props) {
  const shown = sections.filter(({ entries }) => entries.length > 0);
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
        autoFocus="first"
        onClose={onClose}
        onAction={(id) => onAction(String(id))}
      >
        {shown.map(({ id, title, entries }) => (
          <MenuSection key={id} className={styles.section!} {...(!title && { 'aria-label': label })}>
            {title && <Header className={styles.title}>{title}</Header>}
            {entries.map((entry) => (
              <MenuItem key={entry.id} id={entry.id} textValue={entry.label} className={popover.item!}>
                {entry.icon}
                <span className={styles.words}>
                  <bdi className={styles.label}>{entry.label}</bdi>
                  {entry.detail && <span className={styles.detail}>{entry.detail}</span>}
                </span>
                {entry.isCurrent && <Check size={16} className={styles.check} aria-hidden />}
              </MenuItem>
            ))}
          </MenuSection>
        ))}
      </AriaMenu>
    </Popover>
  );
}
