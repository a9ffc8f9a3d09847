import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startFaultService } from '@majlis/testing/faults/fault-workspace';
import { requestOperator } from '@majlis/testing/operator';
import { joinWorkspace } from '@majlis/testing/people';
import { schedule } from '@majlis/testing/schedule-messages';
import { untilNone } from '@majlis/testing/until-none';
import { publicId } from '../../src/database/ids.ts';

const ofConversation = 15;
const kills = 4;

it('scheduled messages go out once each, in their order, after kill -9 at their moment', async (t) => {
  const environment = await createFaultEnvironment();
  const { random, sql } = environment;
  t.diagnostic(`seed ${random.seed}`);
  const { majlis, name } = await startFaultService(environment, { RATE_LIMITS: 'off', TEST_CLOCK: '1' });
  const [row] = await sql<{ id: string }>('select id from workspaces');
  const operator = (method: string, path: string, body?: unknown) => requestOperator(majlis.url, method, path, body);
  const workspace = { id: publicId('workspace', row!.id), applied: { workspace: { name } } };
  const member = await joinWorkspace({ url: majlis.url, operator }, workspace, { role: 'agent' });
  const conversations = await sql<{ id: string }>('select id from conversations order by id');
  const ids = conversations.map(({ id }) => publicId('conversation', id));
  for (let n = 0; n < ofConversation; n++) {
    const content = { kind: 'text', body: `Part ${String(n).padStart(2, '0')}` };
    await Promise.all(ids.map((id) => schedule({ operator }, member, id, { content })));
  }

  await operator('POST', '/clock', { advance_seconds: 3_700 });
  for (let n = 0; n < kills; n++) {
    await pause(random.next() * 400);
    await majlis.kill();
    await majlis.start();
  }
  const total = ids.length * ofConversation;
  await untilNone(async () => {
    const [sent] = await sql<{ count: number }>(
      `select count(*)::int as count from scheduled_messages where state = 'sent'`,
    );
    return total - sent!.count;
  }, 60_000);
  const texts = await sql<{ sent: string[] }>(`
    select array_agg(body order by id) as sent from messages where direction = 'outbound' group by conversation_id`);
  const parts = Array.from({ length: ofConversation }, (_, n) => `Part ${String(n).padStart(2, '0')}`);
  assert.deepEqual(
    texts.map(({ sent }) => sent),
    ids.map(() => parts),
  );
  const other = await sql(`
    select from scheduled_messages s left join messages m on m.workspace_id = s.workspace_id and m.id = s.message_id
    where m.body is distinct from s.content ->> 'body'`);
  assert.equal(other.length, 0);
});
