import { Suspense } from 'react';
import { useStore } from '../live/store.ts';
import { lazyPiece } from '../parts/lazy-piece.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { loadShortcuts } from './load-shortcuts.ts';
import { closePalette, paletteStore } from './palette-store.ts';

interface Closable {
  onClose: () => void;
}

const Palette = lazyPiece<Closable>(async () => (await import('./palette.tsx')).Palette);
const ShortcutsDialog = lazyPiece<Closable>(loadShortcuts);

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
