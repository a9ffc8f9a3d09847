import { Suspense, useSyncExternalStore } from 'react';
import { lazyPiece } from '../parts/lazy-piece.ts';
import { queue } from '../parts/toasts.ts';

const Region = lazyPiece(async () => (await import('../parts/toast-region.tsx')).Toasts);

let hasShown = false;
const subscribe = (listener: () => void) => queue.subscribe(listener);
const isNeeded = () => {
  hasShown ||= queue.visibleToasts.length > 0;
  return hasShown;
};

/** The region of the toasts is loaded with the first one, and stays. */
export function Toasts() {
  return <Suspense>{useSyncExternalStore(subscribe, isNeeded) && <Region />}</Suspense>;
}
