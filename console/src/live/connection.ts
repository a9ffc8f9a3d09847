import { createStore } from './create-store.ts';

/** Whether the changes of the service arrive, so that the page shows what is. */
export type Connection = 'live' | 'connecting' | 'offline';
export const connectionStore = createStore<Connection>('connecting');

/** Since when no change arrives, by the clock of the service in milliseconds. */
export const offlineSinceStore = createStore<number | undefined>(undefined);

export function recordConnection(connection: Connection, now: number): void {
  if (connectionStore.get() === connection) return;
  connectionStore.set(connection);
  if (connection === 'live') offlineSinceStore.set(undefined);
  if (connection === 'offline') offlineSinceStore.set(offlineSinceStore.get() ?? now);
}
