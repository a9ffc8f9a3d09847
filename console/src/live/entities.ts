/** Objects of the service by their id. Each stands here once, and every page shows this one. */
export interface Entities<Entity extends { id: string }> {
  get(id: string): Entity | undefined;
  all(): Entity[];
  /** Puts what a reading brought that nothing can have overtaken. */
  put(entities: readonly Entity[]): void;
  /** Puts what has just changed: by the person of this page, or as an event says. */
  putChanged(entity: Entity): void;
  /**
   * Puts an object as an event brought it at the moment, whole: a reading that began before need not be repeated for it. False where
   * it has changed since then, or a change is under way: it must be read.
   */
  putTold(entity: Entity, since: number): boolean;
  /** Puts what a change under way will bring. Until its end is called, readings leave the object as it is shown. */
  putExpected(entity: Entity): () => void;
  /** Whether a change of it is under way. */
  isExpected(id: string): boolean;
  /** It has changed, and what it is now is not known: a reading that began before must be repeated. */
  markChanged(id: string): void;
  /** A moment for `putRead` and `putTold`, of any of these stores. */
  moment(): number;
  /**
   * Puts what a reading brought that began at the moment. What was changed or removed since then stays so, because the reading may
   * not have it. Answers the ids of those whose state is not known by that: they must be read again. After a `clear`, nothing of an older reading is put.
   */
  putRead(entities: readonly Entity[], since: number): string[];
  remove(id: string): void;
  /** Drops the others, once there are many: a page that is open for a day meets more objects than it shows. */
  keep(isNeeded: (id: string) => boolean): void;
  clear(): void;
  subscribe(listener: () => void): () => void;
}

const mostKept = 1_000;
let count = 0;

export function createEntities<Entity extends { id: string }>(): Entities<Entity> {
  const byId = new Map<string, Entity>();
  const listeners = new Set<() => void>();
  /** By id, the number of the last change or removal, and whether an event brought it whole; the latest at the end. */
  const changes = new Map<string, { at: number; isTold: boolean }>();
  /** By id, how many changes are under way. */
  const underWay = new Map<string, number>();
  let clearedAt = 0;
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
  function recordChange(id: string, isTold = false) {
    changes.delete(id);
    changes.set(id, { at: ++count, isTold });
    // No reading takes as long as so many changes.
    const [oldest] = changes.keys();
    if (changes.size > mostKept) changes.delete(oldest!);
  }
  function putChanged(entity: Entity) {
    recordChange(entity.id);
    put([entity]);
  }
  function isOvertaken({ id }: Entity, since: number): boolean {
    return underWay.has(id) || (changes.get(id)?.at ?? 0) > since;
  }
  return {
    get: (id) => byId.get(id),
    all: () => [...byId.values()],
    put,
    putChanged,
    putExpected(entity) {
      const { id } = entity;
      underWay.set(id, (underWay.get(id) ?? 0) + 1);
      putChanged(entity);
      return () => {
        const left = (underWay.get(id) ?? 0) - 1;
        if (left > 0) underWay.set(id, left);
        else underWay.delete(id);
      };
    },
    isExpected: (id) => underWay.has(id),
    putTold(entity, since) {
      if (isOvertaken(entity, since)) return false;
      recordChange(entity.id, true);
      put([entity]);
      return true;
    },
    markChanged: (id) => recordChange(id),
    moment: () => count,
    putRead(entities, since) {
      if (since < clearedAt) return [];
      const isKnown = ({ id }: Entity) => !underWay.has(id) && changes.get(id)?.isTold && byId.has(id);
      const overtaken = entities.filter((entity) => isOvertaken(entity, since));
      put(entities.filter((entity) => !overtaken.includes(entity)));
      return overtaken.filter((entity) => !isKnown(entity)).map(({ id }) => id);
    },
    remove(id) {
      recordChange(id);
      byId.delete(id);
      announce();
    },
    keep(isNeeded) {
      if (byId.size <= mostKept) return;
      for (const id of byId.keys()) if (!isNeeded(id)) byId.delete(id);
    },
    clear() {
      byId.clear();
      changes.clear();
      clearedAt = ++count;
      announce();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
