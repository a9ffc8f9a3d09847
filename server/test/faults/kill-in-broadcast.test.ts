import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createApi } from '@majlis/testing/api';
import { eventually } from '@majlis/testing/eventually';
import { createFaultEnvironment, type FaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { orderReadyTemplate, startFaultService } from '@majlis/testing/faults/fault-workspace';
import type { RestartableService } from '@majlis/testing/faults/restartable-service';
import { openJobs, untilSettled } from '@majlis/testing/faults/until-settled';
import type { AnyJson } from '@majlis/testing/json';
import { callOperator } from '@majlis/testing/operator';
import { publicId } from '../../src/database/ids.ts';
import { expireUnknownOutcome } from '../../src/messages/jobs.ts';

/** BROADCAST_RECIPIENTS=10000 is the most that a broadcast takes. */
const recipients = Number(process.env.BROADCAST_RECIPIENTS ?? 900);
const kills = 5;
const unknown = /^The outcome is unknown: /;
const cancelled = 'The broadcast was cancelled before the message was sent.';

it('a broadcast goes on after kill -9 at any moment: nobody is left out, and nobody gets it twice', async (t) => {
  const { outcomes, counts, reached } = await broadcastThrough(t, async ({ environment, majlis }) => {
    for (let n = 0; n < kills; n++) {
      await live(environment);
      await die(environment, majlis);
    }
  });
  const failed = outcomes.filter(({ status }) => status === 'failed');
  for (const { error } of failed) assert.match(error, unknown, 'who failed did because nobody knows');
  assert.ok(reached >= recipients - failed.length, 'who did not fail was reached');
  assert.equal(counts.failed, failed.length);
});

it('a broadcast that is cancelled amid them stops, and each of its recipients has an outcome', async (t) => {
  const { outcomes, status, reached } = await broadcastThrough(t, async ({ environment, majlis, broadcast }) => {
    const last = environment.random.between(1, kills - 1);
    for (let n = 0; n < kills; n++) {
      if (n <= last) await live(environment);
      if (n === last) assert.equal((await broadcast('POST', '/cancel')).status, 200);
      await die(environment, majlis);
    }
  });
  assert.equal(status, 'cancelled');
  const stopped = outcomes.filter(({ error }) => error === cancelled);
  const doubtful = outcomes.filter(({ error }) => unknown.test(error ?? ''));
  const carried = outcomes.filter(({ error }) => error === undefined);
  assert.equal(stopped.length + doubtful.length + carried.length, recipients);
  assert.ok(stopped.length > 0 && reached > 0, 'it was stopped on its way');
  assert.ok(reached >= carried.length && reached <= carried.length + doubtful.length);
  t.diagnostic(JSON.stringify({ stopped: stopped.length, doubtful: doubtful.length, carried: carried.length }));
});

interface Running {
  environment: FaultEnvironment;
  majlis: RestartableService;
  broadcast(method: 'GET' | 'POST', action?: string): Promise<{ status: number; body: AnyJson }>;
}

/** Lives until some more were reached, so that the deaths spread over the whole broadcast. */
async function live({ random, simulator }: FaultEnvironment): Promise<void> {
  const goal = simulator.ledger().length + random.between(1, Math.floor(recipients / (kills + 3)));
  await eventually(
    () => simulator.ledger().length,
    (reached) => reached >= goal,
    60_000,
  );
}

async function die({ random }: FaultEnvironment, majlis: RestartableService): Promise<void> {
  await pause(random.next() * 50);
  await majlis.kill();
  await majlis.start();
}

/** What became of each recipient, when all that was under way has come to its end; nobody got it twice. */
async function broadcastThrough(t: TestContext, disturb: (running: Running) => Promise<void>) {
  const environment = await createFaultEnvironment();
  const { random, simulator } = environment;
  t.diagnostic(`seed ${random.seed}`);
  const { majlis, key } = await startFaultService(environment, {}, { messaging_tier: 100_000 });
  const before = simulator.ledger().length;
  const api = createApi(majlis.url, key);
  const { name, language } = orderReadyTemplate;
  const created = await api.post('/broadcasts', {
    name: 'Ready',
    template: { name, language },
    audience: { recipients: Array.from({ length: recipients }, (_, n) => ({ to: `+9687${1_000_000 + n}` })) },
  });
  assert.equal(created.status, 201, created.text);
  const broadcast: Running['broadcast'] = (method, action = '') =>
    api.request(method, `/broadcasts/${created.body.id}${action}`);

  await disturb({ environment, majlis, broadcast });
  // Those whose call was cut off are queued until the platform reports them, or the reconcile window passes.
  await eventually(
    async () => ({
      ...(await broadcast('GET')).body.counts,
      doubtful: (await openJobs(environment))[expireUnknownOutcome],
    }),
    ({ queued, doubtful = 0 }) => queued <= doubtful,
    60_000 + 10 * recipients,
  );
  await untilSettled(environment, majlis.url);

  const { status, counts } = (await broadcast('GET')).body;
  const { total, queued, sent, failed } = counts;
  assert.deepEqual([total, queued, sent + failed], [recipients, 0, recipients]);
  const ledger = simulator.ledger().slice(before);
  assert.equal(new Set(ledger.map(({ to }) => to)).size, ledger.length, 'nobody got it twice');
  t.diagnostic(JSON.stringify({ kills, reached: ledger.length, ...counts }));
  const outcomes = await readOutcomes(majlis.url, created.body.id, environment);
  assert.equal(outcomes.length, recipients);
  return { outcomes, status, counts, reached: ledger.length };
}

async function readOutcomes(url: string, id: string, { sql }: FaultEnvironment): Promise<AnyJson[]> {
  const [workspace] = await sql<{ id: string }>('select id from workspaces');
  const broadcast = `/workspaces/${publicId('workspace', workspace!.id)}/broadcasts/${id}`;
  const outcomes: AnyJson[] = [];
  for (let after = -1; ; after = outcomes.at(-1)!.position) {
    const page = await callOperator(url, 'GET', `${broadcast}/recipients?after=${after}`);
    outcomes.push(...page.data);
    if (!page.has_more) return outcomes;
  }
}
