import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { type Transaction, transaction } from './transaction.ts';

const pool = await openTestPool();

const fail = (code: string) => ({
  text: `do $$ begin raise exception 'failed' using errcode = '${code}'; end $$`,
  values: [],
});
const succeed = { text: 'select 1 as one', values: [] };

/** The work sees only the error of the second statement, which fails because the first did. */
async function failTogether(tx: Transaction, code: string): Promise<void> {
  tx.query(fail(code)).catch(() => {});
  await tx.query(succeed);
}

describe('a transaction', () => {
  it('fails with the error of the statement that failed first', async () => {
    await assert.rejects(
      transaction(pool, (tx) => failTogether(tx, '23505')),
      { code: '23505' },
    );
  });

  it('is run again after a deadlock, whichever error the work saw', async () => {
    let runs = 0;
    const rows = await transaction(pool, async (tx) => {
      runs += 1;
      if (runs === 1) await failTogether(tx, '40P01');
      return tx.query(succeed);
    });
    assert.deepEqual({ runs, rows }, { runs: 2, rows: [{ one: 1 }] });
  });

  it('leaves nothing behind when its work throws', async () => {
    const write = { text: 'create table left_behind ()', values: [] };
    const work = async (tx: Transaction) => {
      await tx.query(write);
      throw new RangeError('no');
    };
    await assert.rejects(transaction(pool, work), RangeError);
    const [row] = await pool.query<{ found: string | null }>({
      text: `select to_regclass('left_behind')::text as found`,
      values: [],
    });
    assert.deepEqual(row, { found: null });
  });
});
