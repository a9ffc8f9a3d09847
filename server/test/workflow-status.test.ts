import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import {
  outboundTexts,
  publishWorkflows,
  readRun,
  startRun,
  untilRun,
  untilRunEnded,
  untilWorkflowsIdle,
} from '@majlis/testing/workflows';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const { api } = workspace;
let count = 0;

/** Starts a workflow of these steps for a customer who just wrote; answers once it waits. */
async function begin(steps: object[]) {
  const name = `Workflow ${++count}`;
  const workflow_id = (await publishWorkflows(majlis, workspace, { name, trigger: 'api_call', steps })).get(name)!;
  const digits = newDigits();
  const conversation_id = await receiveText(majlis, workspace, digits);
  const run = await startRun(workspace, workflow_id, { channel_type: 'chatapp', identifier: `+${digits}` });
  await untilRun(majlis, workspace, run, ({ steps }) => steps.length > 0);
  const set = async (status: string) =>
    assert.equal((await api.post(`/workflows/${workflow_id}/status`, { status })).status, 200);
  return { name, run, digits, conversation_id, set };
}

const waiting = [
  { do: 'wait', for: '10m' },
  { do: 'send_message', text: 'One' },
  { do: 'send_message', text: 'Two' },
];

describe('the runs of a workflow', () => {
  it('stand still while it is paused, and go on once when it is published again', async () => {
    const { run, conversation_id, set } = await begin(waiting);
    await set('paused');
    await majlis.advance(700);
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(
      [await outboundTexts(majlis, conversation_id), (await readRun(majlis, workspace, run)).status],
      [[], 'running'],
    );
    for (const status of ['paused', 'published', 'published', 'paused', 'published']) await set(status);
    assert.equal((await untilRunEnded(majlis, workspace, run)).status, 'completed');
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['One', 'Two']);
  });

  it('wait on where their time has not come when it is published again', async () => {
    const { run, conversation_id, set } = await begin(waiting);
    for (const status of ['paused', 'published']) await set(status);
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), []);
    await majlis.advance(700);
    assert.equal((await untilRunEnded(majlis, workspace, run)).status, 'completed');
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['One', 'Two']);
  });

  it('take in an answer that came while it was paused', async () => {
    const { run, digits, conversation_id, set } = await begin([
      { do: 'ask', name: 'what', text: 'What?', within: '10m' },
      { do: 'send_message', text: '{{steps.what.answer}}' },
    ]);
    await set('paused');
    await receiveText(majlis, workspace, digits, 'This');
    await majlis.advance(700);
    await untilWorkflowsIdle(majlis);
    await set('published');
    assert.equal((await untilRunEnded(majlis, workspace, run)).status, 'completed');
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['What?', 'This']);
  });

  it('end when it is made a draft, with that reason', async () => {
    const { run, conversation_id, set } = await begin([
      { do: 'ask', text: 'What?', within: '10m' },
      { do: 'send_message', text: 'Never' },
    ]);
    await set('draft');
    const { status, reason } = await untilRunEnded(majlis, workspace, run);
    assert.deepEqual([status, reason], ['cancelled', 'The workflow was made a draft.']);
    assert.equal((await api.get(`/conversations/${conversation_id}`)).body.controller, 'human');
    await set('published');
    await majlis.advance(700);
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['What?']);
  });

  it('keep to the version with which they began', async () => {
    const { name, run, conversation_id } = await begin(waiting);
    const steps = [{ do: 'send_message', text: 'New' }];
    await publishWorkflows(majlis, workspace, { name, trigger: 'api_call', steps });
    await majlis.advance(700);
    const { status, version } = await untilRunEnded(majlis, workspace, run);
    assert.deepEqual([status, version], ['completed', 1]);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['One', 'Two']);
  });

  it('are moved by any of several workers, each step once', async () => {
    const others = [await majlis.another(), await majlis.another()];
    const begun = await Promise.all(Array.from({ length: 20 }, () => begin(waiting)));
    await majlis.advance(700);
    for (const { run, conversation_id } of begun) {
      assert.equal((await untilRunEnded(majlis, workspace, run)).status, 'completed');
      assert.deepEqual(await outboundTexts(majlis, conversation_id), ['One', 'Two']);
    }
    await Promise.all(others.map((other) => other.stop()));
  });
});
