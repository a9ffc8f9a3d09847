import assert from 'node:assert/strict';
import type { Connection } from '../../server/src/database/pool.ts';

interface Explained {
  'QUERY PLAN': { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }[];
}

/** The number of pages that the first statement of `run` reads. It is executed, and its answer goes to nobody. */
export async function countPages(on: Connection, run: (connection: Connection) => Promise<unknown>): Promise<number> {
  let pages = 0;
  const connection: Connection = {
    log: on.log,
    async query({ text, values }) {
      const [row] = await on.query<Explained>({ text: `explain (analyze, buffers, format json) ${text}`, values });
      const plan = row!['QUERY PLAN'][0]!.Plan;
      pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      throw new Error('explained');
    },
  };
  await assert.rejects(run(connection), /explained/);
  return pages;
}
