import { useSyncExternalStore } from 'react';

const wide = matchMedia('(width >= 80rem)');

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

/** Whether the window has room for a contact beside its conversation. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
