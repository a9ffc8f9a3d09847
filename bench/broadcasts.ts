import { setTimeout } from 'node:timers/promises';
import { createApi } from '@majlis/testing/api';
import type pg from 'pg';
import type { BenchEnvironment } from './environment.ts';
import { print, printCosts, ratio } from './print.ts';
import type { BenchTenant } from './tenants.ts';

const recipients = 10_000;
const deliver = 'messages.deliver_bulk';

/** One broadcast to 10,000 new numbers: accepted, handed over to dispatch, dispatched. */
export async function measureBroadcast(environment: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  const { key } = tenants[1]!;
  const floor = await measureFloor(environment.db, tenants[1]!);
  print('floor: the rows of 10,000 recipients by plain SQL, one by one', `${floor.toFixed(0)}/s`);
  await makeTemplates(environment.db);
  const service = await environment.start('api,worker');
  const costs = environment.measureCosts(service);
  const from = performance.now();
  const { status, text } = await createApi(service.url, key).post('/broadcasts', {
    name: 'Bench',
    template: { name: 'ready', language: 'en' },
    audience: { recipients: Array.from({ length: recipients }, (_, n) => ({ to: `+9687${2_000_000 + n}` })) },
  });
  if (status !== 201) throw new Error(`no broadcast was made: ${text}`);
  print('a broadcast of 10,000 accepted in', `${(performance.now() - from).toFixed(0)} ms`);
  const began = performance.now();
  const handed = `select count(*) from broadcast_recipients where status = 'accepted'`;
  while ((await environment.count(handed)) < recipients) await setTimeout(20);
  const rate = recipients / ((performance.now() - began) / 1000);
  print('  handed over to dispatch', `${rate.toFixed(0)}/s, ${ratio(rate, floor)} of the floor`);
  await environment.untilNoJobs(deliver, 20);
  print('  dispatched, all in all', `${(recipients / ((performance.now() - began) / 1000)).toFixed(0)}/s`);
  printCosts(costs(), recipients);
  await service.stop();
}

/** The template "ready" in every workspace. */
export async function makeTemplates(db: pg.Pool): Promise<void> {
  await db.query(
    `insert into templates (workspace_id, id, waba_id, name, language, category, components, status, updated_at)
     select workspace_id, gen_random_uuid(), waba_id, 'ready', 'en', 'utility',
       '[{"type":"body","text":"Your order is ready."}]', 'approved', now()
     from channels
     on conflict (workspace_id, waba_id, name, language) do nothing`,
  );
}

/** The rows of one recipient with contact and conversation, from 16 connections. */
async function measureFloor(db: pg.Pool, { workspace_id }: BenchTenant): Promise<number> {
  const { rows } = await db.query('select id from channels where workspace_id = $1', [workspace_id]);
  const text = `
    with contact as (
      insert into contacts (workspace_id, id, last_activity_at, created_at) values ($1, gen_random_uuid(), now(), now())
      returning id
    ), identity as (
      insert into contact_identities (workspace_id, channel_type, identifier, contact_id, created_at)
      select $1, 'chatapp', $3, id, now() from contact
    ), conversation as (
      insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, last_message_at, created_at)
      select $1, gen_random_uuid(), id, $2, 'chatapp', now(), now() from contact
      returning id
    ), message as (
      insert into messages
        (workspace_id, id, conversation_id, channel_id, direction, kind, body, status, recipient, content, created_at)
      select $1, gen_random_uuid(), id, $2, 'outbound', 'template', 'Your order is ready.', 'queued', $3, '{}', now()
      from conversation
      returning id, conversation_id
    )
    insert into jobs (kind, group_id, queue_key, payload, run_at)
    select 'bench.floor', $2, conversation_id, json_build_object('message_id', id)::text, now() from message`;
  let next = 0;
  const from = performance.now();
  const write = async () => {
    while (next < recipients) {
      const values = [workspace_id, rows[0].id, `+9687${3_000_000 + next++}`];
      await db.query({ name: 'floor broadcast', text, values });
    }
  };
  await Promise.all(Array.from({ length: 16 }, write));
  const seconds = (performance.now() - from) / 1000;
  await db.query('truncate jobs');
  return recipients / seconds;
}
