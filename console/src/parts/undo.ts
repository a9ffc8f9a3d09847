import { createStore } from '../live/create-store.ts';

/** The newest action that can be taken back, while that is offered. */
export const undoStore = createStore<(() => void) | undefined>(undefined);

/** What is offered. An offer ends by its time, or when it is taken. */
const offered = new Set<() => void>();

/** The key of undo takes this action back from now on. Returns a function that ends the offer. */
export function offerUndo(take: () => void): () => void {
  offered.add(take);
  undoStore.set(take);
  return () => {
    offered.delete(take);
    if (undoStore.get() === take) undoStore.set(undefined);
  };
}

/**
 * Performs an action that offers its undo itself. Until then the key of undo waits for this action, and takes back no older one.
 * After a refusal it takes back the older one again, if that is still offered.
 */
export async function performUndoable<Outcome>(act: () => Promise<Outcome>): Promise<Outcome> {
  let isAsked = false;
  const ask = () => {
    isAsked = true;
  };
  const before = undoStore.get();
  undoStore.set(ask);
  try {
    return await act();
  } finally {
    const take = undoStore.get();
    if (take === ask) undoStore.set(before && offered.has(before) ? before : undefined);
    else if (isAsked) take?.();
  }
}
