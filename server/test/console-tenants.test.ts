import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type ConsoleOperation, type ConsoleOperationId, consoleOperations } from '@majlis/console-api';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

/** A workspace with an object of each kind that operations of the console name in their paths. */
interface Tenant {
  workspace: TestWorkspace;
  owner: Member;
  named: Record<string, string>;
}
let own: Tenant;
let foreign: Tenant;
before(async () => {
  [own, foreign] = [await createTenant(), await createTenant()];
});

async function createTenant(): Promise<Tenant> {
  const workspace = await majlis.workspace({ stages: [{ name: 'Lead' }] });
  const owner = await joinWorkspace(majlis, workspace);
  const { user_id } = await joinWorkspace(majlis, workspace, { role: 'agent' });
  const { conversation_id, message_id, contact_id } = await receiveMessage(majlis, workspace, newDigits());
  const make = async (path: string, body: object) => {
    const made = await owner.at('POST', path, body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body;
  };
  const named = {
    ...{ workspace_id: workspace.id, user_id, conversation_id, message_id, contact_id, kind: 'reply' },
    stage_id: workspace.applied.stages[0].id,
    view_id: (await make('/views', { name: 'Shared', shared: true, filter: {} })).id,
    canned_reply_id: (await make('/canned-replies', { name: 'shared', body: 'Hello', shared: true })).id,
    invitation_id: (await make('/invitations', { email: 'guest@acme.example', role: 'agent' })).invitation.id,
    api_key_id: (await make('/api-keys', { name: 'extra', environment: 'test', scopes: [] })).api_key.id,
  };
  return { workspace, owner, named };
}

type Named = Tenant['named'];

/** A valid body of each operation that takes one and names an object in its path. */
const bodies: { [Id in ConsoleOperationId]?: (named: Named) => object } = {
  changeMember: () => ({ own_teams_only: false }),
  setReadMark: ({ message_id }) => ({ last_read_message_id: message_id }),
  markUnread: () => ({}),
  saveDraft: () => ({ body: 'Hello' }),
  setPresence: () => ({}),
  changeSavedView: () => ({ name: 'Changed' }),
  changeCannedReply: () => ({ body: 'Changed' }),
};

/** Operations of a role, with the names of the objects in their paths. Deletions come last. */
const inWorkspace = (Object.values(consoleOperations) as ConsoleOperation[])
  .filter(({ audience }) => audience !== 'anyone' && audience !== 'person')
  .map((operation) => ({ operation, names: Object.keys(operation.params?.properties ?? {}) }))
  .sort((a, b) => Number(a.operation.method === 'DELETE') - Number(b.operation.method === 'DELETE'));

function request({ owner }: Tenant, { id, method, path, query }: ConsoleOperation, named: Named) {
  const filled = path.slice('/console/v1'.length).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    assert.ok(named[name], `name a ${name} of each workspace`);
    return named[name];
  });
  const search = query?.properties.conversation_ids ? `?conversation_ids=${named.conversation_id}` : '';
  const takes = method === 'GET' || method === 'DELETE' ? undefined : (bodies[id as ConsoleOperationId]?.(named) ?? {});
  return owner.request(method, `${filled}${search}`, takes);
}

describe('an operation of the console', () => {
  it('answers 404 to each id of another workspace in its path, and finds its own', async () => {
    let asked = 0;
    for (const { operation, names } of inWorkspace) {
      for (const name of names.filter((one) => one !== 'workspace_id' && one !== 'kind')) {
        const theirs = await request(own, operation, { ...own.named, [name]: foreign.named[name]! });
        assert.deepEqual([theirs.status, theirs.body?.code], [404, 'not_found'], `${operation.id} by ${name}`);
        asked++;
      }
      if (names.length > 1) {
        const { status, body } = await request(own, operation, own.named);
        assert.ok(status < 300, `${operation.id}: ${status} ${JSON.stringify(body)}`);
      }
    }
    assert.ok(asked >= 15, String(asked));
  });

  it('takes no id of another workspace in its body or its query', async () => {
    const { owner, named } = own;
    const { conversation_id, message_id, stage_id, contact_id, user_id } = foreign.named;
    const path = `/conversations/${named.conversation_id}`;
    const refused = [
      await owner.at('PUT', `${path}/read-mark`, { last_read_message_id: message_id }),
      await owner.at('POST', `${path}/mark-unread`, { first_unread_message_id: message_id }),
      await owner.at('POST', '/views', { name: 'Theirs', filter: { stage_id } }),
      await owner.at('POST', '/views', { name: 'Theirs', filter: { contact_id } }),
      await owner.at('POST', '/views', { name: 'Theirs', filter: { assignee_id: user_id } }),
    ];
    for (const { status, body } of refused) assert.equal(status, 422, JSON.stringify(body));
    const marks = await owner.at('GET', `/read-marks?conversation_ids=${conversation_id}`);
    assert.deepEqual(marks.body.data, []);
  });
});
