import { createStore } from './store.ts';

/** Whether the last request reached the service. */
export type Connection = 'online' | 'connecting' | 'offline';
export const connectionStore = createStore<Connection>('connecting');

/** How often a page that follows the service asks it again. */
export const followMs = 5_000;

export function recordConnection(connection: Connection): void {
  if (connectionStore.get() !== connection) connectionStore.set(connection);
}
