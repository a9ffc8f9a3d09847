import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { buildStage, type Stage } from './build-stage.ts';
import { type KillUnderLoad, killUnderLoad } from './kill-under-load.ts';
import { unknownOutcomeSeconds } from './settle.ts';

const kills = Number(process.env.FAULT_ROUNDS ?? 10);
const env = { UNKNOWN_OUTCOME_SECONDS: String(unknownOutcomeSeconds) };

describe('a service that is killed under load loses nothing that it acknowledged, and doubles nothing', () => {
  it('as one process', async (t) => {
    const stage = await buildStage();
    const majlis = await stage.majlis(env);
    await killAndTell(t, stage, { api: majlis, victims: [majlis] });
  });

  it('as an API and a worker apart', async (t) => {
    const stage = await buildStage();
    const api = await stage.majlis({ ...env, ROLES: 'api' });
    const worker = await stage.majlis({ ...env, ROLES: 'worker' });
    await killAndTell(t, stage, { api, victims: [api, worker] });
  });

  it('with the embedded PostgreSQL, which the next start takes over', async (t) => {
    const stage = await buildStage({ embedded: true });
    const majlis = await stage.majlis(env);
    await killAndTell(t, stage, { api: majlis, victims: [majlis] });
    const databases = await stage.sql('select pg_postmaster_start_time() as started');
    assert.equal(databases.length, 1);
  });
});

async function killAndTell(t: TestContext, stage: Stage, cast: Omit<KillUnderLoad, 'kills'>): Promise<void> {
  t.diagnostic(`seed ${stage.random.seed}`);
  t.diagnostic(JSON.stringify(await killUnderLoad(stage, { ...cast, kills })));
}
