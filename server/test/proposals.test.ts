import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import {
  platformText,
  postNotification,
  timestampNow,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { openStream } from '@majlis/testing/open-stream';
import { joinWorkspace } from '@majlis/testing/people';
import {
  accept,
  countWaiting,
  listProposals,
  proposalPath,
  readProposal,
  refuse,
  untilProposed,
} from '@majlis/testing/proposals';
import { type AgentConversation, messagesOf, startAgents } from '@majlis/testing/start-agents';
import { parseId } from '../src/database/ids.ts';

const { models, majlis, open, write, untilAnswers } = await startAgents();

const codeOf = ({ status, body }: { status: number; body: AnyJson }) => [status, body?.code];
const sentIn = async (of: AgentConversation) =>
  (await messagesOf(of)).filter(({ direction, kind }) => direction === 'outbound' && kind !== 'note');

/** An agent that proposes, with what it proposes to a customer. */
async function propose(text = 'At nine.') {
  const of = await open({ proposes: true });
  const aisha = await joinWorkspace(majlis, of.workspace, { role: 'agent', name: 'Aisha' });
  models.say(text);
  await write(of, 'When do you open?');
  const proposal = await untilProposed(aisha, of.conversation);
  return { of, aisha, proposal };
}

describe('the answer of an agent that proposes', () => {
  it('waits for a person, is told at once, and reaches nobody', async () => {
    const of = await open({ proposes: true });
    const aisha = await joinWorkspace(majlis, of.workspace, { role: 'agent' });
    assert.equal(await countWaiting(aisha), 0);
    const stream = await openStream(majlis, aisha);
    models.say('At nine.');
    await write(of, 'When do you open?');
    const told = await stream.until(({ kind }) => kind === 'proposal');
    const [proposal] = await listProposals(aisha);
    assert.deepEqual([told.conversation_id, told.proposal_id], [of.conversation, proposal!.id]);
    const { proposed_by, action, content, preview, answers, state } = proposal!;
    assert.deepEqual(proposed_by, { kind: 'ai_agent', id: of.agent_id, name: 'Concierge' });
    assert.deepEqual([action, content, preview], ['send_message', { kind: 'text', body: 'At nine.' }, 'At nine.']);
    assert.deepEqual([answers, state], ['When do you open?', 'waiting']);
    assert.equal(await countWaiting(aisha), 1);
    const opening = await aisha.at('GET', `/conversations/${of.conversation}/opening`);
    assert.deepEqual(opening.body.proposals, [proposal]);
    assert.deepEqual(await sentIn(of), []);
    assert.deepEqual(
      (await untilAnswers(of, 1)).map(({ outcome }) => outcome),
      ['proposed'],
    );
  });

  it('is sent as the agent wrote it once a person accepts it', async () => {
    const { of, aisha, proposal } = await propose();
    const accepted = await accept(aisha, proposal);
    assert.deepEqual([accepted.status, accepted.body.state], [200, 'accepted'], JSON.stringify(accepted.body));
    assert.deepEqual(accepted.body.decided_by, { user_id: aisha.user_id, name: 'Aisha' });
    const [message, ...others] = await sentIn(of);
    assert.deepEqual(others, []);
    assert.deepEqual([message!.body, message!.actor_kind, message!.actor_id], ['At nine.', 'ai_agent', of.agent_id]);
    assert.equal(accepted.body.message_id, message!.id);
    assert.deepEqual([await listProposals(aisha), await countWaiting(aisha)], [[], 0]);
    const { body: why } = await aisha.at('GET', `/messages/${message!.id}/timeline`);
    assert.deepEqual(
      why.data.slice(0, 3).map(({ step, actor_name }: AnyJson) => [step, actor_name]),
      [
        ['proposed', 'Concierge'],
        ['approved', 'Aisha'],
        ['accepted', 'Concierge'],
      ],
    );
    assert.deepEqual(
      (await untilAnswers(of, 2)).map(({ outcome }) => outcome),
      ['proposed', 'sent'],
    );
  });

  it('is sent in the words and the name of the person who changed it', async () => {
    const { of, aisha, proposal } = await propose();
    const accepted = await accept(aisha, proposal, { text: 'At ten.' });
    assert.deepEqual([accepted.status, accepted.body.is_edited], [200, true]);
    const [message] = await sentIn(of);
    assert.deepEqual([message!.body, message!.actor_kind, message!.actor_id], ['At ten.', 'user', aisha.user_id]);
    assert.deepEqual(codeOf(await accept(aisha, (await propose()).proposal, { text: 'x'.repeat(4_097) })), [
      404,
      'not_found',
    ]);
    const other = await propose();
    const long = await accept(other.aisha, other.proposal, { text: 'x'.repeat(4_097) });
    assert.deepEqual(codeOf(long), [422, 'unprocessable_content']);
    assert.deepEqual(codeOf(await accept(other.aisha, other.proposal, { text: ' ' })), [422, 'unprocessable_content']);
    assert.equal((await readProposal(other.aisha, other.proposal)).state, 'waiting');
  });

  it('is refused with a reason, and the agent stays', async () => {
    const { of, aisha, proposal } = await propose();
    const refused = await refuse(aisha, proposal, { reason: 'Too short' });
    assert.deepEqual([refused.body.state, refused.body.decision_reason], ['refused', 'Too short']);
    assert.deepEqual(codeOf(await accept(aisha, proposal)), [409, 'already_decided']);
    models.say('At nine, every day.');
    await write(of, 'Hello?');
    assert.equal((await untilProposed(aisha, of.conversation)).preview, 'At nine, every day.');
    assert.deepEqual(await sentIn(of), []);
  });

  it('is sent once, however many accept it at once; the others are told who did', async () => {
    const { of, aisha, proposal } = await propose();
    const badr = await joinWorkspace(majlis, of.workspace, { role: 'admin', name: 'Badr' });
    const people = [aisha, badr, aisha, badr, aisha, badr];
    const answers = await Promise.all(people.map((person) => accept(person, proposal)));
    const { decided_by } = await readProposal(aisha, proposal);
    for (const [index, { status, body }] of answers.entries()) {
      if (people[index]!.user_id === decided_by.user_id) assert.equal(status, 200);
      else
        assert.deepEqual([status, body.code, body.detail], [409, 'already_decided', `${decided_by.name} accepted it.`]);
    }
    assert.equal((await sentIn(of)).length, 1);
    const { body } = await badr.at('GET', '/audit?action=acceptProposal');
    assert.deepEqual(
      body.data.map(({ targets }: AnyJson) => targets),
      [{ conversation_id: of.conversation, proposal_id: proposal.id }],
    );
  });

  it('is decided one way, where one accepts it and another refuses it at once', async () => {
    const { of, aisha, proposal } = await propose();
    const badr = await joinWorkspace(majlis, of.workspace, { role: 'agent' });
    const answers = await Promise.all([accept(aisha, proposal), refuse(badr, proposal)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const { state } = await readProposal(aisha, proposal);
    assert.equal((await sentIn(of)).length, state === 'accepted' ? 1 : 0);
  });

  it('waits on where the rules refuse it at this moment, and says why', async () => {
    const { of, aisha, proposal } = await propose();
    await majlis.advance(25 * 3_600);
    assert.deepEqual(codeOf(await accept(aisha, proposal)), [409, 'window_closed']);
    assert.equal((await readProposal(aisha, proposal)).state, 'waiting');
    assert.deepEqual(await sentIn(of), []);
    assert.equal((await refuse(aisha, proposal)).status, 200);
  });
});

describe('a proposal that makes no sense any more', () => {
  const endOf = async (person: Parameters<typeof readProposal>[0], proposal: AnyJson) => {
    const { state, end_reason } = await readProposal(person, proposal);
    return [state, end_reason];
  };

  it('is overtaken by the next message of the customer, which the agent answers anew', async () => {
    const { of, aisha, proposal } = await propose();
    models.say('At nine, and on Fridays at two.');
    await write(of, 'And on Fridays?');
    const next = await untilProposed(aisha, of.conversation, proposal);
    assert.equal(next.preview, 'At nine, and on Fridays at two.');
    assert.deepEqual(await endOf(aisha, proposal), ['overtaken', 'customer_wrote']);
    assert.deepEqual(codeOf(await accept(aisha, proposal)), [409, 'already_decided']);
    assert.deepEqual(
      (await listProposals(aisha)).map(({ id }) => id),
      [next.id],
    );
  });

  it('is overtaken before the agent has another answer', async () => {
    const { of, aisha, proposal } = await propose();
    const gate = Promise.withResolvers<string>();
    models.say(() => gate.promise);
    await write(of, 'And on Fridays?');
    assert.deepEqual(await endOf(aisha, proposal), ['overtaken', 'customer_wrote']);
    assert.deepEqual(codeOf(await accept(aisha, proposal)), [409, 'already_decided']);
    gate.resolve('At two.');
    assert.equal((await untilProposed(aisha, of.conversation)).preview, 'At two.');
  });

  it('is overtaken by the answer of a person from the phone of the number', async () => {
    const { of, aisha, proposal } = await propose();
    const timestamp = await timestampNow(majlis);
    const echo = { ...platformText(newDigits(), 'I am here', { timestamp }), to: of.digits };
    await postNotification(majlis, of.workspace, { message_echoes: [echo] }, 'smb_message_echoes');
    await untilNotificationsProcessed(majlis);
    assert.deepEqual(await endOf(aisha, proposal), ['overtaken', 'answered']);
  });

  it('waits on where the phone wrote before the customer, and the platform reports it later', async () => {
    const { of, aisha, proposal } = await propose();
    const timestamp = String(Number(await timestampNow(majlis)) - 3600);
    const echo = { ...platformText(newDigits(), 'Good morning', { timestamp }), to: of.digits };
    await postNotification(majlis, of.workspace, { message_echoes: [echo] }, 'smb_message_echoes');
    await untilNotificationsProcessed(majlis);
    assert.deepEqual(await endOf(aisha, proposal), ['waiting', undefined]);
  });

  it('ends with the close of its conversation, with a takeover and with a block', async () => {
    const closed = await propose();
    await closed.of.workspace.api.post(`/conversations/${closed.of.conversation}/close`, {});
    assert.deepEqual(await endOf(closed.aisha, closed.proposal), ['expired', 'conversation_closed']);
    const taken = await propose();
    await taken.of.workspace.api.post(`/conversations/${taken.of.conversation}/handover`, { to: 'human' });
    assert.deepEqual(await endOf(taken.aisha, taken.proposal), ['expired', 'taken_over']);
    const blocked = await propose();
    const { contact_id } = (await blocked.of.workspace.api.get(`/conversations/${blocked.of.conversation}`)).body;
    await blocked.of.workspace.api.request('PATCH', `/contacts/${contact_id}`, { blocked: true });
    assert.deepEqual(await endOf(blocked.aisha, blocked.proposal), ['expired', 'contact_blocked']);
  });

  it('goes with its erased contact', async () => {
    const { of, aisha, proposal } = await propose('A secret of Muna.');
    const { contact_id } = (await of.workspace.api.get(`/conversations/${of.conversation}`)).body;
    assert.equal((await of.workspace.api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    assert.deepEqual(codeOf(await aisha.at('GET', proposalPath(proposal.id))), [404, 'not_found']);
    assert.deepEqual([await listProposals(aisha), await countWaiting(aisha)], [[], 0]);
    const rows = await majlis.sql('select id from proposals where content::text like $1', ['%secret of Muna%']);
    assert.deepEqual(rows, []);
  });

  it('is forgotten a month after its end, while what was accepted stays', async () => {
    const refused = await propose();
    await refuse(refused.aisha, refused.proposal);
    const accepted = await propose();
    await accept(accepted.aisha, accepted.proposal);
    const statesOf = async ({ of: { workspace } }: typeof refused) => {
      const rows = await majlis.sql<{ state: string }>('select state from proposals where workspace_id = $1', [
        parseId('workspace', workspace.id),
      ]);
      return rows.map(({ state }) => state);
    };
    await majlis.advance(29 * 86_400);
    assert.deepEqual(await statesOf(refused), ['refused']);
    await majlis.advance(2 * 86_400);
    await eventually(
      () => statesOf(refused),
      (states) => states.length === 0,
    );
    assert.deepEqual(await statesOf(accepted), ['accepted']);
  });
});

describe('people without a right to a proposal', () => {
  it('see nothing of another workspace', async () => {
    const { proposal } = await propose();
    const other = await open();
    const stranger = await joinWorkspace(majlis, other.workspace, { role: 'owner' });
    assert.deepEqual([await listProposals(stranger), await countWaiting(stranger)], [[], 0]);
    for (const answer of [
      await stranger.at('GET', proposalPath(proposal.id)),
      await accept(stranger, proposal),
      await refuse(stranger, proposal),
    ]) {
      assert.deepEqual(codeOf(answer), [404, 'not_found']);
    }
  });

  it('see those of own conversations alone where own teams limit them', async () => {
    const { of, aisha, proposal } = await propose();
    const owner = await joinWorkspace(majlis, of.workspace, { role: 'owner' });
    const limited = await joinWorkspace(majlis, of.workspace, { role: 'agent' });
    const change = await owner.at('PATCH', `/members/${limited.user_id}`, { own_teams_only: true });
    assert.equal(change.status, 200);
    const stream = await openStream(majlis, limited);
    assert.deepEqual([await listProposals(limited), await countWaiting(limited)], [[], 0]);
    assert.deepEqual(codeOf(await accept(limited, proposal)), [404, 'not_found']);
    assert.deepEqual(codeOf(await refuse(limited, proposal)), [404, 'not_found']);
    await refuse(aisha, proposal);
    models.say('Yes.');
    await write(of, 'Hello?');
    const next = await untilProposed(aisha, of.conversation);
    // The stream has told all before this, under the assignment of that time.
    await owner.at('PATCH', `/members/${aisha.user_id}`, { own_teams_only: true });
    await stream.until(({ kind, user_id }) => kind === 'member' && user_id === aisha.user_id);
    assert.deepEqual(
      stream.events.filter(({ kind }) => kind === 'proposal'),
      [],
    );
    const assigned = await of.workspace.api.post(`/conversations/${of.conversation}/assign`, {
      assignee_id: limited.user_id,
    });
    assert.equal(assigned.status, 200);
    assert.deepEqual(
      (await listProposals(limited)).map(({ id }) => id),
      [next.id],
    );
    assert.equal(await countWaiting(limited), 1);
    assert.equal((await accept(limited, next)).status, 200);
  });

  it('read the queue in pages, the oldest first', async () => {
    const { of, aisha, proposal } = await propose();
    const digits = `${of.digits.slice(0, -1)}${(Number(of.digits.at(-1)) + 1) % 10}`;
    const second = { ...of, digits };
    await write(second, 'Hello');
    const [conversation] = await eventually(
      async () => (await of.workspace.api.get('/conversations')).body.data as AnyJson[],
      (all) => all.length === 2,
    );
    await of.workspace.api.post(`/conversations/${conversation!.id}/handover`, { to: 'bot', ai_agent_id: of.agent_id });
    models.say('Second.');
    await write(second, 'Are you there?');
    await untilProposed(aisha, conversation!.id);
    const first = (await aisha.at('GET', '/proposals?limit=1')).body;
    assert.deepEqual([first.data.map(({ id }: AnyJson) => id), first.has_more], [[proposal.id], true]);
    const rest = (await aisha.at('GET', `/proposals?limit=1&cursor=${first.next_cursor}`)).body;
    assert.deepEqual([rest.data[0].preview, rest.has_more], ['Second.', false]);
    assert.deepEqual(await listProposals(aisha, 'cv_none'), []);
  });
});
