import { Suspense } from 'react';
import { useStore } from '../live/store.ts';
import { lazyPiece } from '../parts/lazy-piece.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { loadShortcuts } from './load-shortcuts.ts';
import { paletteStore } from './palette-store.ts';

const Palette = lazyPiece(async () => (await import('./palette.tsx')).Palette);
const ShortcutsDialog = lazyPiece(loadShortcuts);

/** The palette of commands or the list of shortcuts, in front of the page. */
export function Front() {
  const shown = useStore(paletteStore);
  return (
    <ErrorBoundary key={shown} isSmall>
      <Suspense>
        {shown === 'commands' && <Palette />}
        {shown === 'shortcuts' && <ShortcutsDialog />}
      </Suspense>
    </ErrorBoundary>
  );
}
