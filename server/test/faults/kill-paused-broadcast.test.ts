import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createApi } from '@majlis/testing/api';
import { eventually } from '@majlis/testing/eventually';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { orderReadyTemplate, startFaultService } from '@majlis/testing/faults/fault-workspace';
import { untilSettled } from '@majlis/testing/faults/until-settled';
import type { AnyJson } from '@majlis/testing/json';
import { requestOperator } from '@majlis/testing/operator';
import { joinWorkspace } from '@majlis/testing/people';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { publicId } from '../../src/database/ids.ts';
import { expireUnknownOutcome } from '../../src/messages/jobs.ts';

/** More than one batch takes, so that the pause finds a broadcast on its way. */
const recipients = 1_600;
const kills = 3;

it('a paused broadcast hands over nobody through kills, and then goes on where it stood', async (t) => {
  const environment = await createFaultEnvironment();
  const { random, simulator, sql } = environment;
  t.diagnostic(`seed ${random.seed}`);
  const { majlis, key, name } = await startFaultService(environment, {}, { messaging_tier: 100_000 });
  const [row] = await sql<{ id: string }>('select id from workspaces');
  const member = await joinWorkspace(
    {
      url: majlis.url,
      operator: (method: string, path: string, body?: unknown) =>
        requestOperator(majlis.url, method, path, body) as never,
    },
    { id: publicId('workspace', row!.id), applied: { workspace: { name } } },
    { role: 'supervisor' },
  );
  const before = simulator.ledger().length;
  const { name: template, language } = orderReadyTemplate;
  const create = async (): Promise<string> => {
    const { status, body, text } = await createApi(majlis.url, key).post('/broadcasts', {
      name: 'Ready',
      template: { name: template, language },
      audience: { recipients: Array.from({ length: recipients }, (_, n) => ({ to: `+9687${1_000_000 + n}` })) },
    });
    assert.equal(status, 201, text);
    return body.id;
  };
  let id = '';
  const steer = async (action: string): Promise<AnyJson> => {
    const { status, body } = await member.at('POST', `/broadcast-states/${id}/${action}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const state = async (): Promise<AnyJson> => (await member.at('GET', `/broadcast-states/${id}`)).body;
  const handedOver = async (): Promise<number> =>
    (await sql<{ count: number }>('select count(*)::int from messages where broadcast_id is not null'))[0]!.count;

  // The first batch waits for the table of messages, and the pause for that batch. So its turn comes before the second batch.
  const { waiting } = await whileHeld(environment, 'lock table messages in share mode', async (held) => {
    id = await create();
    await untilWaiting(environment, 1, 'into messages');
    const pausing = steer('pause');
    await untilWaiting(environment, 1, 'from broadcasts');
    await held.release();
    return pausing;
  });
  await eventually(handedOver, (count) => count > 0);
  assert.ok(waiting > 0, 'it was paused on its way');
  for (let n = 0; n < kills; n++) {
    await pause(random.next() * 300);
    await majlis.kill();
    await majlis.start();
  }
  // Messages that were handed over before the pause still leave.
  await eventually(
    () => sql(`select from jobs where kind = 'messages.deliver_bulk'`),
    (jobs) => jobs.length === 0,
    120_000,
  );
  const paused = await state();
  assert.deepEqual([paused.paused, paused.waiting], [true, waiting]);
  assert.equal(await handedOver(), recipients - waiting);
  assert.ok(simulator.ledger().length - before <= recipients - waiting);

  await steer('resume');
  await pause(random.next() * 300);
  await majlis.kill();
  await majlis.start();
  await eventually(
    async () => ({
      waiting: (await state()).waiting,
      queued: (await sql(`select from messages where broadcast_id is not null and status = 'queued'`)).length,
      doubtful: (await sql('select from jobs where kind = $1', [expireUnknownOutcome])).length,
    }),
    (left) => left.waiting === 0 && left.queued <= left.doubtful,
    120_000,
  );
  await untilSettled(environment, majlis.url);
  const { status, counts } = (await state()).broadcast;
  assert.deepEqual([status, counts.total, counts.sent + counts.failed], ['sent', recipients, recipients]);
  const ledger = simulator.ledger().slice(before);
  assert.equal(new Set(ledger.map(({ to }) => to)).size, ledger.length, 'nobody got it twice');
  assert.ok(ledger.length >= recipients - counts.failed, 'who did not fail was reached');
  t.diagnostic(JSON.stringify({ waiting, reached: ledger.length, ...counts }));
});
