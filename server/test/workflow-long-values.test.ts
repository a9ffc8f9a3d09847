import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';
import {
  listRuns,
  publishWorkflows,
  type readRun,
  startRun,
  untilRunEnded,
  untilRuns,
} from '@majlis/testing/workflows';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
const newContact = () => ({ channel_type: 'chatapp', identifier: `+${newDigits()}` });
const times = <Item>(count: number, item: (n: number) => Item) => Array.from({ length: count }, (_, n) => item(n));

const long = { a: 'أهلا '.repeat(6_000), b: 'b'.repeat(1_000) };
// Each text is another one, so none is folded once for all.
const tooMuch = times(100, (n) => ({ value: `{{trigger.variables.a}} ${n}`, contains: ['nothing of it'] }));
const tooLongToCompare = 'The conditions with their variables are too long to compare.';
const tooLongAsValue = 'A value with its variables has more than 1048576 characters.';

async function run(definition: object): Promise<Awaited<ReturnType<typeof readRun>>> {
  const name = `Workflow ${newDigits()}`;
  const ids = await publishWorkflows(majlis, workspace, { name, trigger: 'api_call', ...definition });
  return untilRunEnded(majlis, workspace, await startRun(workspace, ids.get(name)!, newContact(), long));
}

it('conditions whose variables multiply beyond comparing fail their step, with the reason', async () => {
  const steps = [{ do: 'branch', cases: [{ when: [{ any: tooMuch }], steps: [] }] }];
  const { status, reason } = await run({ steps });
  assert.deepEqual([status, reason], ['failed', tooLongToCompare]);
});

it('a thousand tags are compared with a thousand conditions', async () => {
  const contact = newContact();
  const tags = times(900, (n) => `Tag ${n}`);
  assert.equal((await workspace.api.post('/contacts', { identities: [contact], tags })).status, 201);
  const others = times(900, () => ({ value: '{{contact.tags}}', contains: times(30, (n) => `other ${n}`) }));
  const when = [{ any: [...others, { value: '{{contact.tags}}', contains: 'TAG 899' }] }];
  const steps = [{ do: 'branch', name: 'found', cases: [{ when, steps: [] }] }];
  const ids = await publishWorkflows(majlis, workspace, { name: 'Tags', trigger: 'api_call', steps });
  const { status, steps: done } = await untilRunEnded(
    majlis,
    workspace,
    await startRun(workspace, ids.get('Tags')!, contact),
  );
  assert.deepEqual([status, done[0].outcome], ['completed', 'case 1']);
});

it('a start whose conditions are too long is told by a failed run, and holds up no other start', async () => {
  const apart = await majlis.workspace();
  const value = '{{trigger.message.body}}'.repeat(20);
  const note = [{ do: 'add_note', text: 'Seen' }];
  await publishWorkflows(
    majlis,
    apart,
    { name: 'A', trigger: 'message_received', when: [{ value, contains: 'x' }], steps: note },
    { name: 'B', trigger: 'message_received', steps: note },
  );
  await receiveText(majlis, apart, newDigits(), 'a'.repeat(4_096));
  await untilRuns(majlis, apart, 2);
  const runs = (await listRuns(majlis, apart)).map(({ status, reason }) => [status, reason]);
  const reason = 'A text with its variables has more than 65536 characters.';
  assert.deepEqual(runs, [
    ['failed', reason],
    ['completed', undefined],
  ]);
});

it('a value whose variables multiply fails its step, and nothing is called', async () => {
  const receiver = await startWebhookReceiver();
  const body = { rows: times(40, () => times(40, () => '{{trigger.variables.b}}')) };
  const { status, reason } = await run({ steps: [{ do: 'call', url: receiver.url, body }] });
  assert.deepEqual([status, reason], ['failed', tooLongAsValue]);
  const objects = { rows: times(1_000, () => '{{trigger.variables}}') };
  const again = await run({ steps: [{ do: 'call', url: receiver.url, body: objects }] });
  assert.deepEqual([again.status, again.reason], ['failed', tooLongAsValue]);
  const headers = Object.fromEntries(times(100, (n) => [`X-${n}`, '{{trigger.variables.b}}']));
  const third = await run({ steps: [{ do: 'call', url: receiver.url, headers }] });
  const tooManyHeaders = 'The headers with their variables have more than 65536 characters.';
  assert.deepEqual([third.status, third.reason], ['failed', tooManyHeaders]);
  assert.equal(receiver.arrivals.length, 0);
  const most = { rows: times(40, () => times(20, () => '{{trigger.variables.b}}')) };
  assert.equal((await run({ steps: [{ do: 'call', url: receiver.url, body: most }] })).status, 'completed');
  assert.equal(receiver.arrivals[0]!.event.rows[39][19], long.b);
});

it('a dry run tells that a start or a step is too long, and shows no more values than a page can', async () => {
  const contact = await workspace.api.post('/contacts', { identities: [newContact()] });
  const dryRun = async (definition: object) => {
    const order = { contact_id: contact.body.id, trigger: { variables: long } };
    const trigger = 'api_call';
    const { status, body } = await admin.at('POST', '/workflow-dry-runs', {
      ...order,
      definition: { trigger, ...definition },
    });
    assert.equal(status, 200, JSON.stringify(body).slice(0, 1_000));
    return body;
  };
  const started = await dryRun({ when: [{ any: tooMuch }], steps: [] });
  assert.deepEqual([started.state, started.reason, started.path], ['failed', tooLongToCompare, []]);
  const branch = await dryRun({ steps: [{ do: 'branch', cases: [{ when: [{ any: tooMuch }], steps: [] }] }] });
  assert.deepEqual([branch.state, branch.reason], ['failed', tooLongToCompare]);
  const text = '{{trigger.variables.a}}'.repeat(2);
  const many = await dryRun({ steps: times(90, () => ({ do: 'add_note', text, on_error: 'continue' })) });
  assert.deepEqual([many.state, many.path.length], ['completed', 90]);
  assert.ok(JSON.stringify(many).length < 1_500_000, `${JSON.stringify(many).length} characters`);
});
