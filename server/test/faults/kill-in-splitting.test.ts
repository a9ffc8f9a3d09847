import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startFaultService } from '@majlis/testing/faults/fault-workspace';
import { notificationBody, platformText, signNotification } from '@majlis/testing/notifications';

const customers = 6_000;
const kills = 3;

it('a large notification goes on after kill -9 between its steps: each message is stored once, and each part entered once', async (t) => {
  const environment = await createFaultEnvironment();
  const { random, sql } = environment;
  t.diagnostic(`seed ${random.seed}`);
  const { majlis, workspace } = await startFaultService(environment, { RATE_LIMITS: 'off' });
  await sql(`create table entered (customer text)`);
  await sql(`create function note_entered() returns trigger language plpgsql as $$ begin
    insert into entered values (new.payload::text); return new; end $$`);
  await sql(`create trigger note_entered before insert on jobs
    for each row when (new.kind = 'inbound.process_webhook') execute function note_entered()`);
  const messages = Array.from({ length: customers }, (_, n) => platformText(`971${200_000_000 + n}`, 'Hello'));
  const body = notificationBody(workspace, { messages });
  const posted = await fetch(`${majlis.url}/platform/chatapp/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signNotification(body, workspace.app_secret) },
    body,
  });
  assert.equal(posted.status, 200);
  const entered = async () => (await sql<{ count: number }>('select count(*)::int as count from entered'))[0]!.count;
  for (let n = 1; n <= kills; n++) {
    const most = (customers / (kills + 1)) * n;
    await eventually(entered, (count) => count >= most - random.next() * 1_000);
    await majlis.kill();
    t.diagnostic(`killed after ${await entered()} parts`);
    await majlis.start();
  }
  const left = () => sql(`select from jobs where kind in ('inbound.split_webhook', 'inbound.process_webhook') limit 1`);
  await eventually(left, (jobs) => jobs.length === 0, 120_000);
  assert.equal(await entered(), customers);
  const stored = await sql(`select platform_message_id from messages where platform_message_id = any ($1)`, [
    messages.map(({ id }) => id),
  ]);
  assert.equal(stored.length, customers);
});
