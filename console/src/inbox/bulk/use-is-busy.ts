import { useSyncExternalStore } from 'react';
import { failuresStore } from './failures.ts';
import { selectionStore } from './selection.ts';

const isBusy = () => selectionStore.get() !== undefined || failuresStore.get().length > 0;

function subscribe(listener: () => void): () => void {
  const ends = [selectionStore.subscribe(listener), failuresStore.subscribe(listener)];
  return () => {
    for (const end of ends) end();
  };
}

/** Whether conversations are selected, or what an action could not do is to be told. */
export function useIsBusy(): boolean {
  return useSyncExternalStore(subscribe, isBusy);
}
