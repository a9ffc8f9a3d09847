import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { whenDatabaseIsBack } from './when-database-is-back.ts';

/** Fails with these errors, one after the other, before it succeeds. */
function failing(...errors: Error[]) {
  let runs = 0;
  const work = async () => {
    const error = errors[runs++];
    if (error) throw error;
    return runs;
  };
  return { work, runs: () => runs };
}
const away = () => new Error('Connection terminated unexpectedly');

describe('whenDatabaseIsBack', () => {
  it('repeats the work while the database is away', async () => {
    assert.equal(await whenDatabaseIsBack(failing(away(), away()).work, 60_000), 3);
  });

  it('does not repeat work that failed otherwise, nor beyond its patience', async () => {
    const fault = failing(new TypeError('a fault of ours'));
    await assert.rejects(whenDatabaseIsBack(fault.work, 60_000), TypeError);
    const hopeless = failing(away(), away(), away());
    await assert.rejects(whenDatabaseIsBack(hopeless.work, -1), /Connection terminated/);
    assert.deepEqual([fault.runs(), hopeless.runs()], [1, 1]);
  });
});
