import { useSyncExternalStore } from 'react';
import type { Entities } from './entities.ts';

export function useEntity<Entity extends { id: string }>(entities: Entities<Entity>, id: string): Entity | undefined {
  return useSyncExternalStore(entities.subscribe, () => entities.get(id));
}
