import { useSyncExternalStore } from 'react';

/** Objects of the service by their id. Each stands here once, and every page shows this one. */
export interface Entities<Entity extends { id: string }> {
  get(id: string): Entity | undefined;
  put(entities: readonly Entity[]): void;
  remove(id: string): void;
  /** Drops the others, once there are many: a page that is open for a day meets more objects than it shows. */
  keep(isNeeded: (id: string) => boolean): void;
  clear(): void;
  subscribe(listener: () => void): () => void;
}

const mostKept = 1_000;

export function createEntities<Entity extends { id: string }>(): Entities<Entity> {
  const byId = new Map<string, Entity>();
  const listeners = new Set<() => void>();
  function announce() {
    for (const listener of listeners) listener();
  }
  return {
    get: (id) => byId.get(id),
    put(entities) {
      for (const entity of entities) {
        // An unchanged object stays the same one, so that its row is not drawn again.
        if (JSON.stringify(byId.get(entity.id)) !== JSON.stringify(entity)) byId.set(entity.id, entity);
      }
      announce();
    },
    remove(id) {
      byId.delete(id);
      announce();
    },
    keep(isNeeded) {
      if (byId.size <= mostKept) return;
      for (const id of byId.keys()) if (!isNeeded(id)) byId.delete(id);
    },
    clear() {
      byId.clear();
      announce();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useEntity<Entity extends { id: string }>(entities: Entities<Entity>, id: string): Entity | undefined {
  return useSyncExternalStore(entities.subscribe, () => entities.get(id));
}
