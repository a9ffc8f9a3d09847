import type pg from 'pg';

/** A connection of a test, not of the product: no statement and no lock is waited for without an end. */
export function boundedConnection<Connection extends pg.ClientConfig>(connection: Connection) {
  return { ...connection, statement_timeout: 60_000, lock_timeout: 45_000 };
}
