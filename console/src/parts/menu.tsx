import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import styles from './menu.module.css';

// The first view has menus, and opens none.
const loadList = () => import('./menu-list.tsx');
const MenuList = lazy(async () => ({ default: (await loadList()).MenuList }));

export interface MenuEntry {
  id: string;
  label: string;
  icon?: ReactNode;
  /** Behind the label, such as a count. */
  detail?: string;
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
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={() => void loadList()}
        onFocus={() => void loadList()}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          event.stopPropagation();
          setOpen(true);
        }}
      >
        {children}
      </button>
      <Suspense>
        {isOpen && (
          <MenuList
            label={label}
            entries={entries}
            anchor={button}
            onAction={onAction}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  );
}
