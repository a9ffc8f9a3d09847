import assert from 'node:assert/strict';
import { it } from 'node:test';
import { samples, uploadFile } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { accept, listProposals, proposalPath, refuse, untilProposed } from '@majlis/testing/proposals';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import { publishWorkflows, startRun } from '@majlis/testing/workflows';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);
const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
await owner.at('PATCH', `/members/${agent.user_id}`, { own_teams_only: true });
const team = { name: 'Sales', member_ids: [agent.user_id] };
const team_id: string = (await owner.at('POST', '/teams', team)).body.team.id;

interface Received {
  conversation_id: string;
  contact_id: string;
}

/** A conversation of the agent's team. */
async function newConversation(): Promise<Received> {
  const received = await receiveMessage(majlis, workspace, newDigits());
  await move(received, team_id);
  return received;
}

async function move({ conversation_id }: Received, to: string | null): Promise<void> {
  const { status } = await owner.at('POST', `/conversations/${conversation_id}/assign`, {
    assignee_id: null,
    team_id: to,
  });
  assert.equal(status, 200);
}

const newFile = async (): Promise<string> => (await uploadFile(majlis, workspace, samples.png)).body.id;

/** Proposes to send the file, by a run of a workflow. */
async function propose({ contact_id, conversation_id }: Received, media_id: string) {
  const message = { kind: 'image', media_id, body: 'As you asked' };
  const steps = [{ do: 'send_message', message, approval_within: '30d' }];
  const name = `Send ${media_id}`;
  const ids = await publishWorkflows(majlis, workspace, { name, trigger: 'api_call', control: 'human', steps });
  await startRun(workspace, ids.get(name)!, { id: contact_id });
  return untilProposed(owner, conversation_id);
}

const statusOf = async (member: Member, path: string) => (await member.at('GET', path)).status;

it('the file of a proposal goes with its conversation to another team, and stays there after the decision', async () => {
  for (const decide of [refuse, accept]) {
    const received = await newConversation();
    const media_id = await newFile();
    const proposal = await propose(received, media_id);
    assert.deepEqual(proposal.content.media_id, media_id);
    assert.equal(await statusOf(agent, `/media/${media_id}`), 200);

    await move(received, null);
    const other = await newConversation();
    const uses = async () => [
      await statusOf(agent, proposalPath(proposal.id)),
      (await accept(agent, proposal)).status,
      await statusOf(agent, `/media/${media_id}`),
      (await agent.at('POST', `/conversations/${other.conversation_id}/messages`, { kind: 'image', media_id })).status,
      (await listProposals(agent)).filter(({ id }) => id === proposal.id).length,
    ];
    assert.deepEqual(await uses(), [404, 404, 404, 404, 0]);
    assert.equal(await statusOf(owner, `/media/${media_id}`), 200);
    assert.equal((await decide(owner, proposal)).status, 200);
    assert.deepEqual(await uses(), [404, 404, 404, 404, 0], decide.name);
  }
});

it('whoever sees a proposal accepts it with new words, also where its file stands in a hidden conversation', async () => {
  const media_id = await newFile();
  const hidden = await receiveMessage(majlis, workspace, newDigits());
  await move(hidden, null);
  const sent = await owner.at('POST', `/conversations/${hidden.conversation_id}/messages`, { kind: 'image', media_id });
  assert.equal(sent.status, 201);
  assert.equal(await statusOf(agent, `/media/${media_id}`), 404);
  const received = await newConversation();
  const proposal = await propose(received, media_id);
  assert.equal(await statusOf(agent, `/media/${media_id}`), 200);
  const { status, body } = await accept(agent, proposal, { text: 'Here it is' });
  assert.deepEqual([status, body.proposal?.state ?? body.state], [200, 'accepted'], JSON.stringify(body));
  assert.equal(await statusOf(agent, `/media/${media_id}`), 200);
});
