import { type ReactNode, Suspense, useRef, useState } from 'react';
import { lazyClosable } from './lazy-piece.ts';
import styles from './menu.module.css';
import type { MenuEntry } from './menu-entry.ts';

// The first view has menus, and opens none.
const loadList = () => import('./menu-list.tsx');
const MenuList = lazyClosable(async () => (await loadList()).MenuList);

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
        // A row that holds the button must not take its press for one of its own.
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          setOpen(true);
        }}
        onKeyDown={(event) => {
          if (!['ArrowDown', 'ArrowUp', 'Enter', ' '].includes(event.key)) return;
          event.stopPropagation();
          if (!event.key.startsWith('Arrow')) return;
          event.preventDefault();
          setOpen(true);
        }}
        onKeyUp={(event) => event.stopPropagation()}
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
