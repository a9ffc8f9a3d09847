import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createApi } from '@majlis/testing/api';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startFaultService } from '@majlis/testing/faults/fault-workspace';
import { untilSettled } from '@majlis/testing/faults/until-settled';
import { startModelServer } from '@majlis/testing/model-server';
import { callOperator } from '@majlis/testing/operator';
import { untilNone } from '@majlis/testing/until-none';

const kills = Number(process.env.KILL_ROUNDS ?? 5);

it('agents answer each customer once, though kill -9 ends the service while they think and send', async (t) => {
  const models = await startModelServer();
  const environment = await createFaultEnvironment();
  const { random, simulator, sql } = environment;
  t.diagnostic(`seed ${random.seed}`);
  models.say(async () => {
    await pause(random.next() * 400);
    return 'We open at nine.';
  });
  const { majlis, key, phone_number_id, customers } = await startFaultService(environment, {
    ...{ AI_BASE_URL: models.url, AI_MODEL: 'test-model', AI_QUIET_SECONDS: '0' },
  });
  const [workspace] = await sql<{ name: string }>('select name from workspaces');
  const applied = await callOperator(majlis.url, 'PUT', '/workspaces', {
    workspace,
    ai_agents: [{ name: 'Concierge' }],
  });
  const api = createApi(majlis.url, key);
  const { data } = (await api.get('/conversations?limit=100')).body;
  const ai_agent_id = applied.ai_agents[0].id;
  for (const { id } of data) await api.post(`/conversations/${id}/handover`, { to: 'bot', ai_agent_id });
  const before = simulator.ledger().length;

  for (const from of customers) simulator.inject({ phone_number_id, from, type: 'text', content: 'When do you open?' });
  for (let n = 0; n < kills; n++) {
    await pause(random.next() * 300);
    await majlis.kill();
    await majlis.start();
  }
  await untilNone(async () => {
    const [row] = await sql<{ answers: number }>('select count(*)::int as answers from ai_answers');
    return Math.max(0, customers.length - row!.answers);
  }, 60_000);
  await untilSettled(environment, majlis.url);

  const answers = await sql<{ outcome: string; count: number }>(
    'select outcome, count(*)::int from ai_answers group by outcome',
  );
  assert.deepEqual(answers, [{ outcome: 'sent', count: customers.length }]);
  const sent = await sql<{ messages: number; conversations: number }>(`
    select count(*)::int as messages, count(distinct conversation_id)::int as conversations from messages
    where actor_kind = 'ai_agent'`);
  assert.deepEqual(sent, [{ messages: customers.length, conversations: customers.length }]);
  const reached = simulator.ledger().slice(before);
  assert.equal(new Set(reached.map(({ to }) => to)).size, reached.length, 'nobody got it twice');
  t.diagnostic(JSON.stringify({ kills, asked: models.requests.length, reached: reached.length }));
});
