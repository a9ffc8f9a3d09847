import { CalendarClock } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { lazyClosable } from '../../parts/lazy-piece.ts';
import { t } from '../../words/words.ts';
import type { LaterProps } from './later-props.ts';

// The first view opens none of them.
const loadMenu = () => import('./later-menu.tsx');
const LaterMenu = lazyClosable(async () => (await loadMenu()).LaterMenu);
const LaterDialog = lazyClosable(async () => (await import('./later-dialog.tsx')).LaterDialog);

/** Beside the button that sends: offers moments at which the message goes out by itself. */
export function LaterButton({ isDisabled, ...props }: LaterProps & { isDisabled: boolean }) {
  const [opened, setOpened] = useState<'menu' | 'dialog'>();
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button
        ref={anchor}
        aria-label={t('scheduled.later')}
        title={t('scheduled.later')}
        aria-haspopup="menu"
        aria-expanded={opened === 'menu'}
        data-later
        isDisabled={isDisabled}
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        onPress={() => setOpened('menu')}
      >
        <CalendarClock size={16} aria-hidden />
      </Button>
      <Suspense>
        {opened === 'menu' && (
          <LaterMenu
            {...props}
            anchor={anchor}
            // The menu that closes must not close the dialog that opens.
            onOwnTime={() => setTimeout(() => setOpened('dialog'))}
            onClose={() => setOpened((now) => (now === 'menu' ? undefined : now))}
          />
        )}
        {opened === 'dialog' && <LaterDialog {...props} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </>
  );
}
