import type pg from 'pg';

/** A statement with its values. `name` makes it a prepared statement on each connection that meets it. */
export interface Query<Row> {
  name?: string;
  text: string;
  values: readonly unknown[];
  /** Milliseconds after which its connection is given up, where that is sooner than for other statements. */
  query_timeout?: number;
  /** Only for the compiler: ties the rows' type to the statement. */
  row?: Row;
}

export async function runOn<Row>(target: pg.Pool | pg.ClientBase, query: Query<Row>): Promise<Row[]> {
  const result = await target.query({ ...query, values: query.values as unknown[] });
  // Taken out, not handed on: V8 learns to make pg's array old at once, and what hangs on an old one grows old with it, 14 KB
  // of garbage for each page of a list that only a full collection takes.
  return result.rows.splice(0) as Row[];
}
