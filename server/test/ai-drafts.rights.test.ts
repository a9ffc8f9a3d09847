import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { within } from '@majlis/testing/cleanup';
import { newDigits } from '@majlis/testing/messages';
import { startModelServer } from '@majlis/testing/model-server';
import { receiveText } from '@majlis/testing/notifications';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

const models = await startModelServer();
const majlis = await startTestService({
  env: { RATE_LIMITS: 'off', AI_BASE_URL: models.url, AI_MODEL: 'test-model', AI_TIMEOUT_SECONDS: '60' },
});
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);
const { team } = (await owner.at('POST', '/teams', { name: 'Sales', member_ids: [] })).body;

/** Asks for something of a conversation, and changes something while the model thinks. */
async function changedMeanwhile<Answer>(ask: () => Promise<Answer>, change: () => Promise<unknown>): Promise<Answer> {
  const thinking = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  models.say(async () => {
    thinking.resolve();
    await gate.promise;
    return '{"summary": "The card ends with 1234.", "sentiment": "calm", "intent": "pay"}';
  });
  const answer = ask();
  await within(thinking.promise, 30_000, 'the call of the model');
  await change();
  gate.resolve();
  return answer;
}

async function newConversation(agent?: Member): Promise<{ id: string; contact_id: string }> {
  const id = await receiveText(majlis, workspace, newDigits(), 'My card ends with 1234.');
  const { contact_id } = (await workspace.api.get(`/conversations/${id}`)).body;
  const assign = { assignee_id: agent?.user_id ?? null, team_id: null };
  assert.equal((await owner.at('POST', `/conversations/${id}/assign`, assign)).status, 200);
  return { id, contact_id };
}

async function newAgent(): Promise<Member> {
  const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
  assert.equal((await owner.at('PATCH', `/members/${agent.user_id}`, { own_teams_only: true })).status, 200);
  return agent;
}

describe('a draft and a summary are kept from whoever lost the right to them while the model thought:', () => {
  const changes: Record<string, (agent: Member, conversation: { id: string; contact_id: string }) => Promise<unknown>> =
    {
      'a person who was removed': ({ user_id }) => owner.at('DELETE', `/members/${user_id}`),
      'a person who signed out': (agent) => agent.post('/sign-out'),
      'a person of another team': (_, { id }) =>
        owner.at('POST', `/conversations/${id}/assign`, { assignee_id: null, team_id: team.id }),
      'everybody, where the contact was erased': (_, { contact_id }) => owner.at('DELETE', `/contacts/${contact_id}`),
    };
  for (const [who, change] of Object.entries(changes)) {
    it(who, async () => {
      for (const path of ['compose', 'summary']) {
        const agent = await newAgent();
        const conversation = await newConversation(agent);
        const { status, body } = await changedMeanwhile(
          () => agent.at('POST', `/conversations/${conversation.id}/ai/${path}`, {}),
          () => change(agent, conversation),
        );
        const expected = who === 'a person who signed out' ? 401 : 404;
        assert.equal(status, expected, JSON.stringify(body));
        assert.doesNotMatch(JSON.stringify(body), /1234/);
      }
    });
  }

  it('a key that was revoked', async () => {
    for (const path of ['compose', 'summary']) {
      const { id } = await newConversation();
      const { body: made } = await owner.at('POST', '/api-keys', { name: 'Late', environment: 'test', scopes: [] });
      const { status, text } = await changedMeanwhile(
        () => createApi(majlis.url, made.key).post(`/conversations/${id}/ai/${path}`),
        async () => {
          assert.equal((await owner.at('DELETE', `/api-keys/${made.api_key.id}`)).status, 204);
          await majlis.advance(1);
        },
      );
      assert.equal(status, 401);
      assert.doesNotMatch(text, /1234/);
    }
  });
});
