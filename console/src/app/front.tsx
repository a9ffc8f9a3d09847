import { lazy, Suspense } from 'react';
import { useStore } from '../live/store.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { loadShortcuts } from './load-shortcuts.ts';
import { paletteStore } from './palette-store.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const ShortcutsDialog = lazy(loadShortcuts);

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
