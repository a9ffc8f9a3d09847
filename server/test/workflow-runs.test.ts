import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { publishWorkflows, readRun, startRun, untilRunEnded } from '@majlis/testing/workflows';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const note = (text: string) => [{ do: 'add_note', text }];

async function notesIn(workspace: TestWorkspace, conversation_id: string): Promise<string[]> {
  const { body } = await workspace.api.get(`/conversations/${conversation_id}/messages`);
  return body.data.filter(({ kind }: AnyJson) => kind === 'note').map(({ body: text }: AnyJson) => text);
}

describe('POST /v1/workflows/{workflow_id}/runs', async () => {
  const workspace = await majlis.workspace();
  const { api } = workspace;
  const ids = await publishWorkflows(
    majlis,
    workspace,
    { name: 'Order', trigger: 'api_call', steps: note('Order {{trigger.variables.number}}') },
    { name: 'Other', trigger: 'stage_changed', steps: [] },
    { name: 'Draft', status: 'draft', trigger: 'api_call', steps: [] },
  );
  const order = ids.get('Order')!;

  it('finds the contact in any spelling of the number, or creates one', async () => {
    const digits = newDigits();
    const id = await receiveText(majlis, workspace, digits);
    const { contact_id } = (await api.get(`/conversations/${id}`)).body;
    const contacts = [
      ...[{ id: contact_id }, { contact_id }, { id: contact_id, contact_id }],
      ...[`+${digits}`, `00${digits}`, digits.slice(3)].map((identifier) => ({ channel_type: 'chatapp', identifier })),
    ];
    for (const [number, contact] of contacts.entries()) {
      const run = await startRun(workspace, order, contact, { number });
      assert.equal((await untilRunEnded(majlis, workspace, run)).contact_id, contact_id);
    }
    assert.equal((await notesIn(workspace, id)).length, 6);
    const stranger = { channel_type: 'chatapp', identifier: `+${newDigits()}` };
    const run = await untilRunEnded(majlis, workspace, await startRun(workspace, order, stranger));
    assert.notEqual(run.contact_id, contact_id);
    assert.equal((await api.get(`/contacts/${run.contact_id}`)).body.identities[0].identifier, stranger.identifier);
  });

  it('starts one run however often it is asked with one key', async () => {
    const contact = { channel_type: 'chatapp', identifier: `+${newDigits()}` };
    const headers = { 'idempotency-key': 'once' };
    const start = () => api.post(`/workflows/${order}/runs`, { contact, variables: { number: 'A-9' } }, headers);
    const replies = await Promise.all(Array.from({ length: 8 }, start));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [202]);
    assert.equal(new Set(replies.map(({ body }) => body.run_id)).size, 1);
    const run = await untilRunEnded(majlis, workspace, replies[0]!.body.run_id);
    assert.deepEqual(await notesIn(workspace, run.conversation_id), ['Order A-9']);
    const other = await api.post(`/workflows/${order}/runs`, { contact }, headers);
    assert.deepEqual([other.status, other.body.code], [409, 'idempotency_conflict']);
  });

  it('refuses what cannot start', async () => {
    const contact = { channel_type: 'chatapp', identifier: `+${newDigits()}` };
    const start = async (workflow: string, body: object) => {
      const reply = await api.post(`/workflows/${workflow}/runs`, body);
      const { pointer, detail = '' } = reply.body.errors?.[0] ?? {};
      return [reply.status, pointer ?? (reply.body.detail || detail)];
    };
    const unknown = '00000000000000000000000000';
    assert.equal((await start(`wf_${unknown}`, { contact }))[0], 404);
    assert.deepEqual(await start(ids.get('Other')!, { contact }), [
      422,
      'The trigger of the workflow is stage_changed, and no API call.',
    ]);
    assert.deepEqual(await start(ids.get('Draft')!, { contact }), [
      422,
      'The workflow is draft: only a published one starts.',
    ]);
    for (const [wrong, pointer] of [
      [{}, '/contact'],
      [{ id: `ct_${unknown}` }, '/contact/id'],
      [{ contact_id: 'Muna' }, '/contact/contact_id'],
      [{ channel_type: 'chatapp' }, '/contact/identifier'],
      [{ identifier: '+96891234567' }, '/contact/channel_type'],
      [{ channel_type: 'chatapp', identifier: 'abc' }, '/contact/identifier'],
      [{ ...contact, id: `ct_${unknown}` }, '/contact/id'],
    ] as const) {
      assert.deepEqual(await start(order, { contact: wrong }), [422, pointer]);
    }
    assert.equal((await start(order, {}))[0], 422);
    assert.equal((await start(order, { contact, variables: 'many' }))[0], 422);
  });

  it('shows the operator each run with its steps, and 404 for what is not of the workspace', async () => {
    const contact = { channel_type: 'chatapp', identifier: `+${newDigits()}` };
    const id = await startRun(workspace, order, contact, { number: 'A-1' });
    const run = await untilRunEnded(majlis, workspace, id);
    assert.deepEqual(
      [run.workflow_id, run.version, run.status, run.steps.map(({ at, ...step }: AnyJson) => typeof at && step)],
      [order, 1, 'completed', [{ step: '/steps/0', do: 'add_note', outcome: 'noted' }]],
    );
    const other = await majlis.workspace();
    for (const place of [
      `/workspaces/${other.id}/workflow-runs/${id}`,
      `/workspaces/${workspace.id}/workflow-runs/x`,
    ]) {
      assert.equal((await majlis.operator('GET', place)).status, 404);
    }
    const list = (query: string) => majlis.operator('GET', `/workspaces/${workspace.id}/workflow-runs?${query}`);
    assert.equal((await list(`workflow_id=${order}`)).body.data[0].id, id);
    assert.notEqual((await list(`workflow_id=${order}&after=${id}`)).body.data[0].id, id);
    assert.deepEqual((await list(`workflow_id=${ids.get('Other')}`)).body.data, []);
    for (const query of ['workflow_id=x', 'after=x', 'after=a&after=b']) assert.equal((await list(query)).status, 422);
    assert.equal((await readRun(majlis, workspace, id)).status, 'completed');
  });
});
