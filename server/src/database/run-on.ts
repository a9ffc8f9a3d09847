import type pg from 'pg';

/** A statement with its values. `name` makes each connection prepare it once. */
export interface Query<Row> {
  name?: string;
  text: string;
  values: readonly unknown[];
  /** Milliseconds after which the connection counts as dead, if shorter than that of the pool. */
  query_timeout?: number;
  /** Ties the row type to the statement, for the compiler alone. */
  row?: Row;
}

export async function runOn<Row>(target: pg.Pool | pg.ClientBase, query: Query<Row>): Promise<Row[]> {
  const result = await target.query({ ...query, values: query.values as unknown[] });
  // The rows leave pg's array, which V8 allocates as an old object. Otherwise 14 KB of each list page became old garbage.
  return result.rows.splice(0) as Row[];
}
