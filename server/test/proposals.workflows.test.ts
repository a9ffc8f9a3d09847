import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { accept, listProposals, readProposal, refuse, untilProposed } from '@majlis/testing/proposals';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { outboundTexts, publishWorkflows, readRun, startRun, untilRun, untilRunEnded } from '@majlis/testing/workflows';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({
  env: { RATE_LIMITS: 'off', PROPOSALS_MAX: '60', PROPOSALS_BYTES_MAX: '20000' },
});
const send = { do: 'send_message', text: 'Dear {{contact.name}}, come back.', approval_within: '2h' };
let workspace: TestWorkspace;
let ids: Map<string, string>;
let aisha: Member;
before(async () => {
  workspace = await majlis.workspace({ closing_categories: [{ name: 'Solved' }] });
  aisha = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Aisha' });
  ids = await publishWorkflows(
    majlis,
    workspace,
    {
      name: 'Win back',
      trigger: 'api_call',
      steps: [
        {
          ...send,
          name: 'offer',
          on_refusal: [{ do: 'add_note', text: 'It was {{steps.offer.outcome}}: {{steps.offer.reason}}' }],
        },
        { do: 'add_note', text: 'After {{steps.offer.outcome}}' },
      ],
    },
    { name: 'Ends', trigger: 'api_call', steps: [send, { do: 'add_note', text: 'On' }] },
    {
      name: 'Goes on',
      trigger: 'api_call',
      steps: [
        { ...send, on_refusal: 'continue' },
        { do: 'add_note', text: 'On' },
      ],
    },
    {
      name: 'Beside',
      trigger: 'api_call',
      control: 'human',
      steps: [{ ...send, on_refusal: [{ do: 'add_note', text: 'No' }] }],
    },
    {
      name: 'Asks',
      trigger: 'api_call',
      steps: [
        { do: 'ask', name: 'what', text: 'What is it?', within: '1h', approval_within: '1h' },
        { do: 'send_message', text: 'It is {{steps.what.answer}}' },
      ],
    },
    {
      name: 'Tidies',
      trigger: 'api_call',
      steps: [
        { do: 'set_tag', tag: '{{trigger.variables.tag}}', approval_within: '1h' },
        { do: 'close', category: 'Solved', summary: 'Tidy', approval_within: '1h' },
      ],
    },
    {
      name: 'Template',
      trigger: 'api_call',
      steps: [
        {
          do: 'send_template',
          template: 'order_update',
          language: 'en',
          params: ['Muna', 'A-1042'],
          approval_within: '1d',
        },
      ],
    },
    {
      name: 'Unknown',
      trigger: 'api_call',
      steps: [{ do: 'send_template', template: 'none', language: 'en', approval_within: '1d' }],
    },
  );
});

/** Starts one of these for a customer who just wrote; answers once it proposes. */
async function begin(name: string, variables?: object) {
  const digits = newDigits();
  const conversation_id = await receiveText(majlis, workspace, digits);
  const contact = { channel_type: 'chatapp', identifier: `+${digits}` };
  const run = await startRun(workspace, ids.get(name)!, contact, variables);
  const proposal = await untilProposed(aisha, conversation_id);
  return { run, digits, conversation_id, proposal };
}

const ended = (run: string) => untilRunEnded(majlis, workspace, run);
const outcomesOf = ({ steps }: AnyJson) => steps.map(({ outcome }: AnyJson) => outcome);
const notesIn = async (conversation_id: string) =>
  (await workspace.api.get(`/conversations/${conversation_id}/messages`)).body.data
    .filter(({ kind }: AnyJson) => kind === 'note')
    .map(({ body }: AnyJson) => body);
const codeOf = ({ status, body }: { status: number; body: AnyJson }) => [status, body?.code];

describe('a step that asks for a yes', () => {
  it('is proposed with the values of its variables, and the run waits', async () => {
    const { run, conversation_id, proposal } = await begin('Win back');
    assert.match(proposal.preview, /^Dear .*, come back\.$/);
    assert.deepEqual(proposal.proposed_by, {
      ...{ kind: 'workflow', id: ids.get('Win back'), name: 'Win back', run_id: run },
    });
    assert.equal(Date.parse(proposal.due_at) - Date.parse(proposal.created_at), 7_200_000);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), []);
    const owner = await joinWorkspace(majlis, workspace, { role: 'owner' });
    const { body } = await owner.at('GET', `/workflow-runs/${run}`);
    assert.deepEqual([body.run.waits_for, body.run.step], ['approval', '/steps/0']);
  });

  it('is performed at the yes, and the run goes on', async () => {
    const { run, conversation_id, proposal } = await begin('Win back');
    const accepted = await accept(aisha, proposal);
    assert.deepEqual([accepted.status, accepted.body.state], [200, 'accepted'], JSON.stringify(accepted.body));
    const { status, steps } = await ended(run);
    assert.deepEqual([status, outcomesOf({ steps })], ['completed', ['proposed', 'sent', 'noted']]);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), [proposal.preview]);
    assert.deepEqual(await notesIn(conversation_id), ['After sent']);
    const { body: why } = await aisha.at('GET', `/messages/${accepted.body.message_id}/timeline`);
    assert.deepEqual(
      why.data.slice(0, 2).map(({ step, actor_kind, actor_name }: AnyJson) => [step, actor_kind, actor_name]),
      [
        ['proposed', 'workflow', 'Win back'],
        ['approved', 'user', 'Aisha'],
      ],
    );
  });

  it('is sent in the words of the person who changed it', async () => {
    const { run, conversation_id, proposal } = await begin('Win back');
    const { body } = await accept(aisha, proposal, { text: 'We miss you.' });
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['We miss you.']);
    const message = (await workspace.api.get(`/messages/${body.message_id}`)).body;
    assert.deepEqual([message.actor_kind, message.actor_id], ['user', aisha.user_id]);
    assert.equal((await ended(run)).status, 'completed');
  });

  it('takes its other way after a no, with the reason of the person', async () => {
    const { run, conversation_id, proposal } = await begin('Win back');
    assert.equal((await refuse(aisha, proposal, { reason: 'Too early' })).status, 200);
    const state = await ended(run);
    assert.deepEqual(outcomesOf(state), ['proposed', 'refused', 'noted', 'noted']);
    assert.deepEqual((await notesIn(conversation_id)).sort(), ['After refused', 'It was refused: Too early']);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), []);
  });

  it('ends the run after a no, unless it says to go on', async () => {
    const ends = await begin('Ends');
    await refuse(aisha, ends.proposal);
    assert.deepEqual(outcomesOf(await ended(ends.run)), ['proposed', 'refused']);
    const on = await begin('Goes on');
    await refuse(aisha, on.proposal);
    assert.deepEqual(outcomesOf(await ended(on.run)), ['proposed', 'refused', 'noted']);
  });

  it('takes its other way after its time', async () => {
    const { run, proposal } = await begin('Win back');
    await majlis.advance(2 * 3_600 + 1);
    assert.deepEqual(outcomesOf(await ended(run)).slice(0, 2), ['proposed', 'no decision in time']);
    const { state, end_reason } = await readProposal(aisha, proposal);
    assert.deepEqual([state, end_reason], ['expired', 'time_over']);
    assert.deepEqual(codeOf(await accept(aisha, proposal)), [409, 'already_decided']);
  });

  it('waits on where the rules refuse it, and says why', async () => {
    const { conversation_id, proposal, run } = await begin('Template');
    assert.equal(proposal.preview, 'Hello Muna, your order A-1042 has left.');
    assert.deepEqual(codeOf(await accept(aisha, proposal, { text: 'Mine' })), [422, 'unprocessable_content']);
    await majlis.sql(
      `update templates set status = 'paused' where workspace_id = (select workspace_id from proposals limit 1)`,
    );
    assert.deepEqual(codeOf(await accept(aisha, proposal)), [422, 'template_not_found']);
    assert.equal((await readProposal(aisha, proposal)).state, 'waiting');
    await majlis.sql(
      `update templates set status = 'approved' where workspace_id = (select workspace_id from proposals limit 1)`,
    );
    assert.equal((await accept(aisha, proposal)).status, 200);
    assert.equal((await ended(run)).status, 'completed');
    assert.equal((await outboundTexts(majlis, conversation_id)).length, 1);
  });

  it('fails at once where no time would change its fault', async () => {
    const digits = newDigits();
    const conversation_id = await receiveText(majlis, workspace, digits);
    const run = await startRun(workspace, ids.get('Unknown')!, { channel_type: 'chatapp', identifier: `+${digits}` });
    const { status, reason } = await ended(run);
    assert.equal(status, 'failed');
    assert.match(reason, /^template_not_found/);
    assert.deepEqual(await listProposals(aisha, conversation_id), []);
  });

  it('asks the customer once a person has agreed to the question', async () => {
    const { run, digits, conversation_id, proposal } = await begin('Asks');
    assert.equal(proposal.action, 'ask');
    await receiveText(majlis, workspace, digits, 'Anybody?');
    assert.equal((await readProposal(aisha, proposal)).state, 'waiting');
    await accept(aisha, proposal);
    await untilRun(majlis, workspace, run, ({ steps }) => steps.at(-1).outcome === 'asked');
    await receiveText(majlis, workspace, digits, 'A sofa');
    assert.equal((await ended(run)).status, 'completed');
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['What is it?', 'It is A sofa']);
  });

  it('proposes what is no message too, with the values of that moment as they are', async () => {
    const { run, conversation_id, proposal } = await begin('Tidies', { tag: '{{contact.id}}' });
    assert.deepEqual([proposal.action, proposal.change], ['set_tag', { tag: '{{contact.id}}' }]);
    assert.deepEqual(codeOf(await accept(aisha, proposal, { text: 'Mine' })), [422, 'unprocessable_content']);
    assert.equal((await accept(aisha, proposal)).status, 200);
    const close = await untilProposed(aisha, conversation_id, proposal);
    assert.deepEqual([close.action, close.change], ['close', { category: 'Solved', summary: 'Tidy' }]);
    const closed = await accept(aisha, close);
    assert.deepEqual([closed.status, closed.body.state], [200, 'accepted'], JSON.stringify(closed.body));
    assert.deepEqual(outcomesOf(await ended(run)), ['proposed', 'tag set', 'proposed', 'closed']);
    const { status, tags } = (await workspace.api.get(`/conversations/${conversation_id}`)).body;
    assert.deepEqual([status, tags], ['closed', ['{{contact.id}}']]);
  });

  it('happens once, however many accept it at once', async () => {
    const { run, conversation_id, proposal } = await begin('Win back');
    const badr = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Badr' });
    const answers = await Promise.all([1, 2, 3].flatMap(() => [accept(aisha, proposal), accept(badr, proposal)]));
    const { decided_by } = await readProposal(aisha, proposal);
    const others = answers.filter(({ status }) => status !== 200);
    assert.equal(others.length, 3);
    for (const { body } of others) {
      assert.deepEqual([body.code, body.detail], ['already_decided', `${decided_by.name} accepted it.`]);
    }
    await ended(run);
    assert.equal((await outboundTexts(majlis, conversation_id)).length, 1);
  });
});

describe('what a run proposes', () => {
  it('ends with the run, whoever ends it', async () => {
    const owner = await joinWorkspace(majlis, workspace, { role: 'owner' });
    const { run, proposal, conversation_id } = await begin('Win back');
    assert.equal((await owner.at('POST', `/workflow-runs/${run}/cancel`)).status, 200);
    const { state, end_reason } = await readProposal(aisha, proposal);
    assert.deepEqual([state, end_reason], ['expired', 'run_ended']);
    assert.deepEqual(codeOf(await accept(aisha, proposal)), [409, 'already_decided']);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), []);
    const taken = await begin('Win back');
    await workspace.api.post(`/conversations/${taken.conversation_id}/handover`, { to: 'human' });
    assert.equal((await ended(taken.run)).status, 'cancelled');
    assert.equal((await readProposal(aisha, taken.proposal)).end_reason, 'run_ended');
  });

  it('ends with the close of the conversation; a run beside people takes its other way', async () => {
    const { run, proposal, conversation_id } = await begin('Beside');
    await workspace.api.post(`/conversations/${conversation_id}/close`, {});
    assert.equal((await readProposal(aisha, proposal)).end_reason, 'conversation_closed');
    assert.deepEqual(outcomesOf(await ended(run)), ['proposed', 'proposal ended', 'noted']);
  });

  it('is not done for a workflow that became a draft', async () => {
    const { run, proposal, conversation_id } = await begin('Ends');
    await workspace.api.post(`/workflows/${ids.get('Ends')}/status`, { status: 'draft' });
    assert.deepEqual(codeOf(await accept(aisha, proposal)), [409, 'already_decided']);
    assert.equal((await readProposal(aisha, proposal)).end_reason, 'run_ended');
    assert.equal((await ended(run)).status, 'cancelled');
    assert.deepEqual(await outboundTexts(majlis, conversation_id), []);
    await workspace.api.post(`/workflows/${ids.get('Ends')}/status`, { status: 'published' });
  });

  it('ends at a yes that comes before the work that ends its run', async () => {
    const { run, proposal, conversation_id } = await begin('Ends');
    const setStatus = (status: string) =>
      majlis.sql(`update workflows set status = '${status}' where id = $1`, [parseId('workflow', ids.get('Ends')!)!]);
    await setStatus('draft');
    const { status, body } = await accept(aisha, proposal);
    assert.deepEqual([status, body.code, body.detail], [409, 'already_decided', 'It has ended: run_ended.']);
    const { state, end_reason } = await readProposal(aisha, proposal);
    assert.deepEqual([state, end_reason], ['expired', 'run_ended']);
    assert.equal((await ended(run)).status, 'cancelled');
    assert.deepEqual(await outboundTexts(majlis, conversation_id), []);
    await setStatus('published');
  });

  it('waits on with its run while the workflow is paused, and is done at a yes', async () => {
    const { run, proposal, conversation_id } = await begin('Goes on');
    await workspace.api.post(`/workflows/${ids.get('Goes on')}/status`, { status: 'paused' });
    assert.equal((await accept(aisha, proposal)).status, 200);
    assert.equal((await outboundTexts(majlis, conversation_id)).length, 1);
    const paused = await readRun(majlis, workspace, run);
    assert.deepEqual([paused.status, outcomesOf(paused)], ['running', ['proposed', 'sent']]);
    await workspace.api.post(`/workflows/${ids.get('Goes on')}/status`, { status: 'published' });
    assert.deepEqual(outcomesOf(await ended(run)), ['proposed', 'sent', 'noted']);
  });

  it('is erased with its customer', async () => {
    const { proposal, conversation_id } = await begin('Win back');
    const { contact_id } = (await workspace.api.get(`/conversations/${conversation_id}`)).body;
    const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
    const preview = await admin.at('GET', `/contacts/${contact_id}/erasure-preview`);
    assert.equal(preview.body.proposals, 1);
    assert.equal((await workspace.api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    assert.equal((await readProposal(aisha, proposal)).code, 'not_found');
  });

  it('moves with its run to the conversation of the contact that stays after a merge', async () => {
    const { run, proposal, conversation_id } = await begin('Beside');
    const digits = newDigits();
    const other = await receiveText(majlis, workspace, digits);
    const contactOf = async (id: string) => (await workspace.api.get(`/conversations/${id}`)).body.contact_id;
    const [survivor, source] = [await contactOf(other), await contactOf(conversation_id)];
    const merged = await workspace.api.post(`/contacts/${survivor}/merge`, { source_contact_id: source });
    assert.equal(merged.status, 200, merged.text);
    assert.equal((await readProposal(aisha, proposal)).conversation_id, other);
    const accepted = await accept(aisha, proposal);
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
    assert.equal((await ended(run)).status, 'completed');
    assert.equal((await outboundTexts(majlis, other)).length, 1);
  });

  it('is bounded in number: one more than there may be fails its step', async () => {
    const { waiting, last } = await fill('Hello', 61);
    assert.match(last.reason, /^limit_reached: There may be 60 proposals at most/);
    assert.equal(waiting, 60);
  });

  it('is bounded in bytes', async () => {
    const { waiting, last } = await fill('x'.repeat(4_000), 5);
    assert.match(last.reason, /^limit_reached: All proposals together may have 20000 bytes/);
    assert.equal(waiting, 4);
  });

  /** Starts so many runs that propose the text in a workspace of their own, one after the other. */
  async function fill(text: string, count: number) {
    const other = await majlis.workspace();
    const person = await joinWorkspace(majlis, other, { role: 'agent' });
    const step = { do: 'send_message', text, approval_within: '1h' };
    const made = await publishWorkflows(majlis, other, { name: 'Many', trigger: 'api_call', steps: [step] });
    const digits = newDigits();
    await receiveText(majlis, other, digits);
    let last: AnyJson = {};
    for (let n = 0; n < count; n++) {
      const run = await startRun(other, made.get('Many')!, { channel_type: 'chatapp', identifier: `+${digits}` });
      // The run is read before its steps, so a step alone may be newer than the state beside it.
      const isOver = ({ status, steps }: AnyJson) => status !== 'running' || steps[0]?.outcome === 'proposed';
      last = await untilRun(majlis, other, run, isOver);
    }
    return { last, waiting: (await person.at('GET', '/proposals/count')).body.waiting };
  }
});

describe('a definition', () => {
  it('names the fault of a step that asks for a yes where there is none to ask for', async () => {
    const owner = await joinWorkspace(majlis, workspace, { role: 'owner' });
    const faultsOf = async (...steps: object[]) => {
      const { body } = await owner.at('POST', '/workflow-checks', { definition: { trigger: 'api_call', steps } });
      return (body.faults ?? body.errors ?? [body]).map(({ pointer, detail }: AnyJson) => `${pointer} ${detail}`);
    };
    assert.deepEqual(await faultsOf(send), []);
    assert.match((await faultsOf({ do: 'wait', for: '1h', approval_within: '1h' }))[0], /approval_within/);
    assert.match((await faultsOf({ ...send, approval_within: '400d' }))[0], /at most 366 days/);
    assert.match(
      (await faultsOf({ do: 'send_message', text: 'x', on_refusal: 'end' }))[0],
      /goes with approval_within/,
    );
    assert.match((await faultsOf({ ...send, on_refusal: [{ do: 'none' }] }))[0], /\/steps\/0\/on_refusal\/0\/do/);
  });
});
