import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits, sendText } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { listRuns, outboundTexts, publishWorkflows, untilRuns, untilWorkflowsIdle } from '@majlis/testing/workflows';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] } };
const note = (text: string) => [{ do: 'add_note', text }];
const minute = 60;

async function notesIn(workspace: TestWorkspace, conversation_id: string): Promise<string[]> {
  const { body } = await workspace.api.get(`/conversations/${conversation_id}/messages`);
  return body.data.filter(({ kind }: AnyJson) => kind === 'note').map(({ body: text }: AnyJson) => text);
}

async function upsert({ api }: TestWorkspace, digits: string, members: object = {}): Promise<AnyJson> {
  const { body } = await api.post('/contacts', {
    identities: [{ channel_type: 'chatapp', identifier: `+${digits}` }],
    ...members,
  });
  return body;
}

describe('a workflow starts', () => {
  it('when a conversation begins, by whom it says, and once', async () => {
    const workspace = await majlis.workspace();
    const steps = note('Begun by the {{trigger.started_by}}');
    await publishWorkflows(majlis, workspace, { name: 'Welcome', trigger: 'conversation_created', steps });
    const digits = newDigits();
    const theirs = await receiveText(majlis, workspace, digits);
    await receiveText(majlis, workspace, digits, 'Again');
    const { body } = await workspace.api.post('/messages', { to: `+${newDigits()}`, ...template });
    await untilRuns(majlis, workspace, 2);
    assert.deepEqual(await notesIn(workspace, theirs), ['Begun by the customer']);
    assert.deepEqual(await notesIn(workspace, body.conversation_id), ['Begun by the business']);
  });

  it('when a customer writes what its conditions ask for, in any Arabic spelling', async () => {
    const workspace = await majlis.workspace();
    const when = [
      { value: '{{trigger.message.kind}}', equals: 'text' },
      { any: [{ value: '{{trigger.message.body}}', contains: ['أسعار', 'price'] }] },
    ];
    await publishWorkflows(majlis, workspace, {
      name: 'Prices',
      trigger: 'message_received',
      when,
      steps: note('Asked'),
    });
    const [asking, dear, other] = await Promise.all(
      ['ما هي الاسعار؟', 'The PRICE?', 'Hello'].map((text) => receiveText(majlis, workspace, newDigits(), text)),
    );
    await untilRuns(majlis, workspace, 2);
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(await notesIn(workspace, asking!), ['Asked']);
    assert.deepEqual(await notesIn(workspace, dear!), ['Asked']);
    assert.deepEqual(await notesIn(workspace, other!), []);
  });

  it('with the first message of a customer alone, where it asks for that', async () => {
    const workspace = await majlis.workspace();
    const when = [{ value: '{{trigger.message.is_first}}', equals: true }];
    await publishWorkflows(majlis, workspace, {
      name: 'First',
      trigger: 'message_received',
      when,
      steps: note('First'),
    });
    const digits = newDigits();
    const id = await receiveText(majlis, workspace, digits, 'One');
    await untilRuns(majlis, workspace, 1);
    await receiveText(majlis, workspace, digits, 'Two');
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(await notesIn(workspace, id), ['First']);
  });

  it('when a contact gets a tag: by a change, an upsert or an import, and not for one that they had', async () => {
    const workspace = await majlis.workspace();
    const steps = [{ do: 'set_tag', tag: 'seen {{trigger.tag}}' }];
    const when = [{ value: '{{trigger.tag}}', one_of: ['VIP', 'lead'] }];
    await publishWorkflows(majlis, workspace, { name: 'Tagged', trigger: 'contact_tagged', when, steps });
    const { api } = workspace;
    const { id } = await upsert(workspace, newDigits(), { tags: ['lead'] });
    await untilRuns(majlis, workspace, 1);
    await api.request('PATCH', `/contacts/${id}`, { tags: ['lead', 'seen lead', 'vip'] });
    await untilRuns(majlis, workspace, 2);
    await api.request('PATCH', `/contacts/${id}`, { tags: ['lead', 'vip', 'other'] });
    const identities = [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }];
    await api.post('/contacts/import', { contacts: [{ identities, tags: ['vip'] }] });
    const runs = await untilRuns(majlis, workspace, 3);
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(
      [runs.length, ...new Set(runs.map(({ status }) => status))],
      [(await listRuns(majlis, workspace)).length, 'completed'],
    );
  });

  it('when a contact gains a tag or a stage by a merge', async () => {
    const workspace = await majlis.workspace({ stages: [{ name: 'Lead' }] });
    const { api, applied } = workspace;
    const survivor = await upsert(workspace, newDigits(), { tags: ['lead'] });
    const source = await upsert(workspace, newDigits(), { tags: ['lead', 'vip'], stage_id: applied.stages[0].id });
    const steps = note('Well');
    await publishWorkflows(
      majlis,
      workspace,
      { name: 'Tagged', trigger: 'contact_tagged', steps },
      { name: 'Staged', trigger: 'stage_changed', steps },
    );
    const merged = await api.post(`/contacts/${survivor.id}/merge`, { source_contact_id: source.id });
    assert.deepEqual(merged.body.tags, ['lead', 'vip'], merged.text);
    const runs = await untilRuns(majlis, workspace, 2);
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(
      runs.map(({ contact_id }) => contact_id),
      [survivor.id, survivor.id],
    );
    assert.equal((await listRuns(majlis, workspace)).length, 2);
  });

  it('when the stage of a conversation or a contact changes', async () => {
    const workspace = await majlis.workspace({ stages: [{ name: 'Lead' }, { name: 'Customer' }] });
    const [lead, customer] = workspace.applied.stages;
    const when = [{ value: '{{trigger.stage}}', equals: 'Customer' }];
    const steps = note('{{trigger.of}} from {{trigger.previous_stage}} to {{trigger.stage}}');
    await publishWorkflows(majlis, workspace, { name: 'Won', trigger: 'stage_changed', when, steps });
    const { api } = workspace;
    const id = await receiveText(majlis, workspace, newDigits());
    for (const stage_id of [lead.id, customer.id, customer.id])
      await api.request('PUT', `/conversations/${id}/stage`, { stage_id });
    await untilRuns(majlis, workspace, 1);
    const { contact_id } = (await api.get(`/conversations/${id}`)).body;
    await api.request('PATCH', `/contacts/${contact_id}`, { stage_id: customer.id });
    await untilRuns(majlis, workspace, 2);
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(await notesIn(workspace, id), ['conversation from Lead to Customer', 'contact from  to Customer']);
  });

  it('when the business does not reply in time, from the last message of the customer on', async () => {
    const workspace = await majlis.workspace();
    const wait = { trigger: 'no_reply', reply_from: 'business', after: '10m' };
    await publishWorkflows(majlis, workspace, {
      name: 'Late',
      ...wait,
      steps: note('No reply to: {{trigger.message.body}}'),
    });
    const [silent, replied] = [newDigits(), newDigits()];
    const id = await receiveText(majlis, workspace, silent, 'One');
    const other = await receiveText(majlis, workspace, replied);
    await majlis.advance(5 * minute);
    await receiveText(majlis, workspace, silent, 'Two');
    await sendText(workspace, other);
    await majlis.advance(6 * minute);
    await untilWorkflowsIdle(majlis);
    assert.equal((await listRuns(majlis, workspace)).length, 0);
    await eventually(
      async () => {
        await majlis.advance(minute);
        return notesIn(workspace, id);
      },
      (notes) => notes.length > 0,
    );
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(await notesIn(workspace, id), ['No reply to: Two']);
    assert.deepEqual(await notesIn(workspace, other), []);
  });

  it('when the customer does not reply in time, but not because of what a workflow wrote', async () => {
    const workspace = await majlis.workspace();
    const steps = [{ do: 'send_message', text: 'Are you still there?' }];
    const wait = { trigger: 'no_reply', reply_from: 'customer', after: '10m' };
    await publishWorkflows(majlis, workspace, { name: 'Remind', ...wait, steps });
    const id = await receiveText(majlis, workspace, newDigits());
    await sendText(workspace, id, 'Which one?');
    await eventually(
      async () => {
        await majlis.advance(11 * minute);
        return listRuns(majlis, workspace);
      },
      (runs) => runs.length > 0,
    );
    for (let n = 0; n < 3; n++) await majlis.advance(11 * minute);
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(await outboundTexts(majlis, id), ['Which one?', 'Are you still there?']);
  });

  it('once at a time for a contact', async () => {
    const workspace = await majlis.workspace();
    const steps = [{ do: 'wait', for: '1h' }, ...note('Waited')];
    await publishWorkflows(majlis, workspace, { name: 'Slow', trigger: 'message_received', control: 'human', steps });
    const digits = newDigits();
    for (const text of ['One', 'Two', 'Three']) await receiveText(majlis, workspace, digits, text);
    await untilWorkflowsIdle(majlis);
    assert.equal((await listRuns(majlis, workspace)).length, 1);
  });

  it('never where it is a draft or paused', async () => {
    const workspace = await majlis.workspace();
    for (const status of ['draft', 'paused']) {
      await publishWorkflows(majlis, workspace, {
        name: status,
        status,
        trigger: 'message_received',
        steps: note(status),
      });
    }
    await receiveText(majlis, workspace, newDigits());
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(await listRuns(majlis, workspace), []);
    assert.equal((await majlis.sql(`select from jobs where kind = 'workflows.begin_run'`)).length, 0);
  });

  it('no further than five runs behind each other: what would go on for ever ends with a reason', async () => {
    const workspace = await majlis.workspace();
    await publishWorkflows(
      majlis,
      workspace,
      {
        name: 'There',
        trigger: 'contact_tagged',
        when: [{ value: '{{trigger.tag}}', equals: 'b' }],
        steps: turn('b', 'a'),
      },
      {
        name: 'Back',
        trigger: 'contact_tagged',
        when: [{ value: '{{trigger.tag}}', equals: 'a' }],
        steps: turn('a', 'b'),
      },
    );
    await upsert(workspace, newDigits(), { tags: ['a'] });
    await eventually(
      () => listRuns(majlis, workspace),
      (runs) => runs.some(({ status }) => status === 'failed'),
    );
    await untilWorkflowsIdle(majlis);
    const runs = await listRuns(majlis, workspace);
    assert.deepEqual(
      [runs.length, runs.at(-1)!.status, /A chain of 5 runs led/.test(runs.at(-1)!.reason)],
      [7, 'failed', true],
    );
  });
});

function turn(from: string, to: string): object[] {
  return [
    { do: 'clear_tag', tag: from },
    { do: 'set_tag', tag: to },
  ];
}
