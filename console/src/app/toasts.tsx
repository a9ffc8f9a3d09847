import { Suspense, useSyncExternalStore } from 'react';
import { lazyPiece, untilLoaded } from '../parts/lazy-piece.ts';
import { queue } from '../parts/toasts.ts';
import { PlainToasts } from './plain-toasts.tsx';

const load = async () => (await import('../parts/toast-region.tsx')).Toasts;
/** What a toast tells stands nowhere else, so it is shown without its region too. */
const Region = lazyPiece(() => untilLoaded(load).catch(() => PlainToasts));

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
