import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { SendGate } from '@majlis/console-api';
import { limits } from '@majlis/contract/limits';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let agent: Member;
before(async () => {
  workspace = await majlis.workspace({ ai_agents: [{ name: 'Concierge' }] });
  agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
});

async function receive() {
  const digits = newDigits();
  return { digits, ...(await receiveMessage(majlis, workspace, digits)) };
}
const gateOf = async (conversation_id: string): Promise<SendGate> => {
  const { status, body } = await agent.at('GET', `/conversations/${conversation_id}/gate`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

const contents = {
  free: { kind: 'text', body: 'Hello' },
  template: { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] } },
  marketing: { kind: 'template', template: { name: 'spring_sale', language: 'en' } },
};

/** What the gate says of each kind, and what the sends themselves get. */
async function compare(conversation_id: string): Promise<(string | undefined)[]> {
  const { free, template, marketing } = await gateOf(conversation_id);
  const said = [free, template, marketing].map(({ allowed, code }) => (allowed ? undefined : code));
  const got: (string | undefined)[] = [];
  for (const content of Object.values(contents)) {
    const { status, body } = await agent.at('POST', `/conversations/${conversation_id}/messages`, content);
    got.push(status === 201 ? undefined : body.code);
  }
  assert.deepEqual(said, got);
  return said;
}

type Conversation = Awaited<ReturnType<typeof receive>>;

describe('the gate says of each kind what its send gets', () => {
  const invalid = 'unprocessable_content';
  const cases: [string, (subject: Conversation) => Promise<unknown>, (string | undefined)[]][] = [
    ['within the window', async () => {}, [undefined, undefined, invalid]],
    [
      'with an opt-in to marketing',
      ({ digits }) => {
        const identities = [{ channel_type: 'chatapp', identifier: `+${digits}` }];
        return agent.at('POST', '/contacts', { identities, consents: { chatapp_marketing: true } });
      },
      [undefined, undefined, undefined],
    ],
    [
      'to a blocked contact',
      ({ contact_id }) => agent.at('PATCH', `/contacts/${contact_id}`, { blocked: true }),
      ['contact_blocked', 'contact_blocked', invalid],
    ],
    [
      'in a closed conversation',
      ({ conversation_id }) => agent.at('POST', `/conversations/${conversation_id}/close`, {}),
      ['conversation_closed', 'conversation_closed', invalid],
    ],
    [
      'while a bot has control',
      ({ conversation_id }) => {
        const { id } = workspace.applied.ai_agents[0];
        return agent.at('POST', `/conversations/${conversation_id}/handover`, { to: 'bot', ai_agent_id: id });
      },
      ['bot_in_control', 'bot_in_control', invalid],
    ],
    ['after the window', () => majlis.advance(limits.window_seconds), ['window_closed', undefined, invalid]],
  ];
  for (const [name, change, expected] of cases) {
    it(name, async () => {
      const subject = await receive();
      await change(subject);
      assert.deepEqual(await compare(subject.conversation_id), expected);
    });
  }
});

describe('the gate', () => {
  it('closes at the moment that it names, by the clock that it names', async () => {
    const { conversation_id } = await receive();
    const { now, window_expires_at } = await gateOf(conversation_id);
    const left_ms = Date.parse(window_expires_at!) - Date.parse(now);
    assert.ok(left_ms > 0 && left_ms <= limits.window_seconds * 1000, String(left_ms));
    await majlis.advance(Math.ceil(left_ms / 1000));
    const later = await gateOf(conversation_id);
    assert.ok(Date.parse(later.now) >= Date.parse(window_expires_at!));
    assert.deepEqual(later.free, { allowed: false, code: 'window_closed' });
  });

  it('names the newest message of the business', async () => {
    const { conversation_id } = await receive();
    assert.equal((await gateOf(conversation_id)).newest_reply_id, undefined);
    const sent = await agent.at('POST', `/conversations/${conversation_id}/messages`, contents.free);
    await agent.at('POST', `/conversations/${conversation_id}/notes`, { body: 'A note is none' });
    assert.equal((await gateOf(conversation_id)).newest_reply_id, sent.body.id);
  });

  it('tells of a channel that the platform refuses, until a renewed token clears it', async () => {
    const own = await majlis.workspace();
    const person = await joinWorkspace(majlis, own, { role: 'agent' });
    const { conversation_id } = await receiveMessage(majlis, own, newDigits());
    const troubleOf = async () => {
      const { body } = await person.at('GET', `/conversations/${conversation_id}/gate`);
      return body.channel_trouble as string | undefined;
    };
    assert.equal(await troubleOf(), undefined);
    const { phone_number_id, access_token, applied } = own;
    const setToken = async (token: string) => {
      const channels = [{ type: 'chatapp', phone_number_id, access_token: token }];
      const file = { workspace: { name: applied.workspace.name }, channels };
      assert.equal((await majlis.operator('PUT', '/workspaces', file)).status, 200);
    };
    await setToken('expired-token');
    await person.at('POST', `/conversations/${conversation_id}/messages`, contents.free);
    const trouble = await eventually(troubleOf, (reason) => reason !== undefined);
    assert.match(trouble!, /^190\b/);
    await setToken(access_token);
    assert.equal(await troubleOf(), undefined);
  });
});
