import { createStore } from './create-store.ts';

/** Whether the changes of the service arrive, so that the page shows what is. */
export type Connection = 'live' | 'connecting' | 'offline';
export const connectionStore = createStore<Connection>('connecting');

export function recordConnection(connection: Connection): void {
  if (connectionStore.get() !== connection) connectionStore.set(connection);
}
