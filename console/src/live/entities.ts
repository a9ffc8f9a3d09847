/** Objects of the service by their id. Each stands here once, and every page shows this one. */
export interface Entities<Entity extends { id: string }> {
  get(id: string): Entity | undefined;
  put(entities: readonly Entity[]): void;
  /** Puts what the person of this page has just changed. */
  putOwn(entity: Entity): void;
  /** A moment for `putRead`. */
  moment(): number;
  /**
   * Puts what a reading brought that began at the moment. What the person changed since then stays, because the reading may not
   * have it. Answers the ids of those: they must be read again.
   */
  putRead(entities: readonly Entity[], since: number): string[];
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
  /** By id, the number of the last own change. */
  const ownChanges = new Map<string, number>();
  let ownCount = 0;
  function announce() {
    for (const listener of listeners) listener();
  }
  function put(entities: readonly Entity[]) {
    for (const entity of entities) {
      // An unchanged object stays the same one, so that its row is not drawn again.
      if (JSON.stringify(byId.get(entity.id)) !== JSON.stringify(entity)) byId.set(entity.id, entity);
    }
    announce();
  }
  return {
    get: (id) => byId.get(id),
    put,
    putOwn(entity) {
      ownChanges.set(entity.id, ++ownCount);
      put([entity]);
    },
    moment: () => ownCount,
    putRead(entities, since) {
      const isOwn = ({ id }: Entity) => byId.has(id) && (ownChanges.get(id) ?? 0) > since;
      put(entities.filter((entity) => !isOwn(entity)));
      return entities.filter(isOwn).map(({ id }) => id);
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
      ownChanges.clear();
      announce();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
