import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { publishWorkflows, readRun, startRun, untilRun, untilRunEnded } from '@majlis/testing/workflows';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let waiting: TestWorkspace;
let others: TestWorkspace[];
/** Customers of the workspace that waits. */
const customers = [newDigits(), newDigits(), newDigits(), newDigits()];
let contact_id: string;

const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] } };
const sendTo = (number: string, { api }: TestWorkspace) => api.post('/messages', { to: `+${number}`, ...template });
const statusesOf = (replies: { status: number }[]) => [...new Set(replies.map(({ status }) => status))];

before(async () => {
  waiting = await majlis.workspace();
  others = [await majlis.workspace(), await majlis.workspace(), await majlis.workspace()];
  const [first] = await Promise.all(customers.map((digits) => sendTo(digits, waiting)));
  contact_id = (await waiting.api.get(`/conversations/${first!.body.conversation_id}`)).body.contact_id;
  await untilNotificationsProcessed(majlis);
});

/** Holds the rows of the workspace that waits. */
function whileRowsHeld<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  const lock = `select from ${table} where workspace_id = '${parseId('workspace', waiting.id)}' for update`;
  return whileHeld(majlis, lock, work);
}

it('sends of other workspaces are answered while a row of one is held', async () => {
  const late: Promise<unknown>[] = [];
  const replies = await whileRowsHeld('conversations', async () => {
    const answered: { status: number }[] = [];
    for (let round = 0; round < 4; round++) {
      late.push(...customers.map((digits) => sendTo(digits, waiting)));
      const sends = others.flatMap((one) => [1, 2, 3, 4].map(() => sendTo(newDigits(), one)));
      answered.push(...(await Promise.all(sends)));
    }
    return answered;
  });
  await Promise.all(late);
  assert.deepEqual(statusesOf(replies), [201]);
});

it('sends to other customers of the same workspace are answered while a row of one is held', async () => {
  const late: Promise<unknown>[] = [];
  const replies = await whileRowsHeld('conversations', async () => {
    late.push(...customers.map((digits) => sendTo(digits, waiting)));
    return Promise.all([1, 2, 3, 4].map(() => sendTo(newDigits(), waiting)));
  });
  await Promise.all(late);
  assert.deepEqual(statusesOf(replies), [201]);
});

it('a send waits for a row that is held, longer than others would wait with it', async () => {
  const sending = await whileRowsHeld('conversations', async () => {
    const reply = sendTo(customers[0]!, waiting);
    await untilWaiting(majlis, 1, 'update conversations c set');
    return { reply };
  });
  assert.equal((await sending.reply).status, 201);
});

it('messages to other workspaces are stored at the first try while a row of one is held', async () => {
  const failed = await whileRowsHeld('conversations', async () => {
    const ids: string[] = [];
    for (let round = 0; round < 4; round++) {
      const late = customers.map((digits) => ({ to: waiting, text: platformText(digits, 'late') }));
      const texts = others.map((to) => ({ to, text: platformText(newDigits(), 'meanwhile') }));
      await Promise.all([...late, ...texts].map(({ to, text }) => postNotification(majlis, to, { messages: [text] })));
      ids.push(...texts.map(({ text }) => String(text.id)));
    }
    await eventually(
      () => majlis.sql('select from messages where platform_message_id = any ($1)', [ids]),
      (rows) => rows.length === ids.length,
    );
    const own = await majlis.sql<{ id: string }>(`select id from jobs where kind = 'inbound.process_webhook'`);
    const lines = majlis.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a job failed');
    return lines.filter(({ job_id }) => !own.some(({ id }) => Number(id) === job_id));
  });
  assert.deepEqual(failed, []);
  await untilNotificationsProcessed(majlis);
  const late = await majlis.sql(`select from messages where body = 'late'`);
  assert.equal(late.length, 4 * customers.length);
});

it('the feed of events goes on while the events of one workspace are held', async () => {
  await postNotification(majlis, waiting, { messages: [platformText(customers[0]!, 'held')] });
  const text = platformText(newDigits(), 'in the feed');
  await postNotification(majlis, others[0]!, { messages: [text] });
  await untilNotificationsProcessed(majlis);
  const read = async () => {
    const { status, body } = await majlis.operator('GET', '/events?limit=1000');
    return { status, bodies: body.data?.map((event: { data: object }) => JSON.stringify(event.data)).join() };
  };
  const meanwhile = await whileRowsHeld('events', read);
  assert.equal(meanwhile.status, 200);
  assert.match(meanwhile.bodies, /in the feed/);
  assert.match((await read()).bodies, /held/);
});

it('workflows of other workspaces go on while the contacts of one are held', async () => {
  const steps = [
    { do: 'wait', for: '1h' },
    { do: 'add_note', text: 'Noted' },
  ];
  const start = async (workspace: TestWorkspace, count: number) => {
    const name = 'Waits';
    const id = (await publishWorkflows(majlis, workspace, { name, trigger: 'api_call', steps })).get(name)!;
    const contact = () => ({ channel_type: 'chatapp', identifier: `+${newDigits()}` });
    return Promise.all(Array.from({ length: count }, () => startRun(workspace, id, contact())));
  };
  const held = await start(waiting, 40);
  const going = (await Promise.all(others.map((one) => start(one, 2)))).map((ids) => ids[1]!);
  await Promise.all(held.map((id) => untilRun(majlis, waiting, id, ({ steps }) => steps.length > 0)));
  await Promise.all(others.map((one, n) => untilRun(majlis, one, going[n]!, ({ steps }) => steps.length > 0)));
  await whileRowsHeld('contacts', async () => {
    await majlis.advance(3_600);
    await untilWaiting(majlis, 1, 'select blocked from contacts');
    for (const [n, one] of others.entries()) await untilRunEnded(majlis, one, going[n]!);
    assert.equal((await readRun(majlis, waiting, held[0]!)).status, 'running');
  });
  for (const id of held) assert.equal((await untilRunEnded(majlis, waiting, id)).status, 'completed');
});

it('changes that wait for a row leave connections to other workspaces', async () => {
  const small = await majlis.another({ DATABASE_POOL_SIZE: '4', ROLES: 'api' });
  const [own, other] = [waiting, others[0]!].map(({ key }) => createApi(small.url, key));
  const { body } = await sendTo(newDigits(), others[0]!);
  const known = (await other!.get(`/conversations/${body.conversation_id}`)).body.contact_id;
  const changes: Promise<unknown>[] = [];
  const reply = await whileRowsHeld('contacts', async () => {
    for (let n = 0; n < 20; n++) changes.push(own!.request('PATCH', `/contacts/${contact_id}`, { name: `Muna ${n}` }));
    await untilWaiting(majlis, 1, 'select id from contacts');
    return other!.request('PATCH', `/contacts/${known}`, { name: 'Salim' });
  });
  await Promise.all(changes);
  assert.equal(reply.status, 200, reply.text);
});
