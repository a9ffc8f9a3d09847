import { Keyboard, Undo2 } from 'lucide-react';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import type { Membership } from '../live/membership.ts';
import { useStore } from '../live/store.ts';
import { undoStore } from '../parts/undo.ts';
import { t } from '../words/words.ts';
import { type Command, useCommands } from './commands.ts';
import { addressOf, type PageRow, pagesOf, personPages } from './pages.ts';
import { openPalette, paletteStore } from './palette-store.ts';

/** What can be done on every page. */
export function ShellCommands({ membership }: { membership: Membership | undefined }) {
  const [, navigate] = useLocation();
  const commands = useMemo((): Command[] => {
    const go = (address: string, { label, icon: Icon, key }: PageRow): Command => ({
      id: `go.${address}`,
      label: t('palette.go', { place: t(label) }),
      icon: <Icon size={16} aria-hidden />,
      ...(key && { shortcut: { code: key, after: 'KeyG' } }),
      run: () => navigate(address),
    });
    return [
      {
        id: 'app.palette',
        label: t('palette.open'),
        isKeyOnly: true,
        run: openPalette,
      },
      {
        id: 'app.shortcuts',
        label: t('palette.shortcuts'),
        icon: <Keyboard size={16} aria-hidden />,
        run: () => paletteStore.set('shortcuts'),
      },
      ...(membership
        ? [...pagesOf(membership, 'work'), ...pagesOf(membership, 'settings')].map((row) =>
            go(addressOf(membership, row), row),
          )
        : []),
      ...personPages.map((row) => go(row.path, row)),
    ];
  }, [membership, navigate]);
  useCommands(commands);
  useCommands(useUndo());
  return null;
}

/** What was done last, on whichever page it was done. */
function useUndo(): readonly Command[] {
  const undo = useStore(undoStore);
  return useMemo(() => {
    if (!undo) return [];
    return [
      {
        id: 'app.undo',
        label: t('app.undo'),
        icon: <Undo2 size={16} aria-hidden />,
        // The newest at the press, which may not be shown yet.
        run: () => undoStore.get()?.(),
      },
    ];
  }, [undo]);
}
