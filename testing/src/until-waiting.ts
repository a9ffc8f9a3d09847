import { eventually } from './eventually.ts';

// Longer than the short wait of a transaction, 100 ms. It then gives way and begins again, behind those that came meanwhile.
const lasting_ms = 250;

/**
 * Until so many sessions of the database wait for locks and go on waiting. `statement` is a part of what they wait with, or
 * parts of which each has one, where work of the service could meet the same lock. PostgreSQL shows 1,024 bytes of a statement.
 */
export async function untilWaiting(
  { sql }: { sql(text: string, values: unknown[]): Promise<unknown[]> },
  count = 1,
  statement: string | readonly string[] = '',
): Promise<void> {
  const waiting = `select query from pg_locks join pg_stat_activity using (pid)
    where datname = current_database() and not granted and query like any ($1)
      and waitstart < clock_timestamp() - $2 * interval '1 ms'`;
  const patterns = [statement].flat().map((part) => `%${part}%`);
  await eventually(
    () => sql(waiting, [patterns, lasting_ms]),
    ({ length }) => length >= count,
  );
}
