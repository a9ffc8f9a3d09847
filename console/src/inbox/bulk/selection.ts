import { useSyncExternalStore } from 'react';
import { createStore } from '../../live/create-store.ts';
import { useStore } from '../../live/store.ts';

/** The conversations of the shown list on which a person acts together. Undefined: nobody selects. */
export const selectionStore = createStore<ReadonlySet<string> | undefined>(undefined);

export function beginSelecting(): void {
  selectionStore.set(selectionStore.get() ?? new Set());
}

export function endSelecting(): void {
  if (selectionStore.get()) selectionStore.set(undefined);
}

export function toggleSelected(id: string): void {
  const next = new Set(selectionStore.get());
  if (!next.delete(id)) next.add(id);
  selectionStore.set(next);
}

export function select(ids: readonly string[]): void {
  selectionStore.set(new Set(ids));
}

export function useIsSelecting(): boolean {
  return useSyncExternalStore(selectionStore.subscribe, () => selectionStore.get() !== undefined);
}

export function useIsSelected(id: string): boolean {
  return useSyncExternalStore(selectionStore.subscribe, () => selectionStore.get()?.has(id) ?? false);
}

export function useSelection(): ReadonlySet<string> | undefined {
  return useStore(selectionStore);
}
