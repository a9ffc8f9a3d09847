import { Suspense } from 'react';
import { useStore } from '../live/store.ts';
import { lazyClosable } from '../parts/lazy-piece.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { loadShortcuts } from './load-shortcuts.ts';
import { closePalette, paletteStore } from './palette-store.ts';

const Palette = lazyClosable(async () => (await import('./palette.tsx')).Palette);
const ShortcutsDialog = lazyClosable(loadShortcuts);

/** The palette of commands or the list of shortcuts, in front of the page. */
export function Front() {
  const shown = useStore(paletteStore);
  return (
    <ErrorBoundary key={shown} isSmall>
      <Suspense>
        {shown === 'commands' && <Palette onClose={closePalette} />}
        {shown === 'shortcuts' && <ShortcutsDialog onClose={closePalette} />}
      </Suspense>
    </ErrorBoundary>
  );
}
