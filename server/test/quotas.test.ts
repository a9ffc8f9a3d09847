import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { joinWorkspace, type Member, makeToken, openBrowser, password } from '@majlis/testing/people';
import { scheduledPath } from '@majlis/testing/schedule-messages';
import { startTestService, type TestService, type TestWorkspace } from '@majlis/testing/start-test-service';

let people = 0;
const most = 4;
const most_bytes = 4_096;
const kinds = [
  ...['custom_fields', 'tags', 'templates', 'webhook_endpoints', 'broadcasts', 'knowledge_sources'],
  ...['stages', 'closing_categories', 'workflows', 'ai_agents', 'channels', 'teams', 'api_keys'],
  ...['saved_views', 'canned_replies', 'members', 'invitations', 'scheduled_messages'],
];
const settings = (suffix: string, value: number) =>
  Object.fromEntries(kinds.map((kind) => [`${kind.toUpperCase()}_${suffix}`, String(value)]));

const few = await startTestService({
  env: { RATE_LIMITS: 'off', TRUSTED_PROXIES: '127.0.0.1', ...settings('MAX', most) },
});
const small = await few.another({
  RATE_LIMITS: 'off',
  TRUSTED_PROXIES: '127.0.0.1',
  ...settings('BYTES_MAX', most_bytes),
  ...settings('MAX', 1_000),
});

interface Visit {
  majlis: TestService;
  workspace: TestWorkspace;
  owner: Member;
}

interface Reply {
  status: number;
  body: AnyJson;
}

interface Made {
  kind: string;
  /** Makes one with this name. `text` may be long, and adds to its bytes. */
  make(visit: Visit, name: string, text: string): Promise<Reply>;
  list(visit: Visit): Promise<AnyJson[]>;
  /** Removes the first one of the list. Absent where nothing removes one. */
  remove?(visit: Visit, first: AnyJson): Promise<Reply>;
}

const listAt =
  (path: string) =>
  async ({ owner }: Visit) =>
    (await owner.at('GET', path)).body.data as AnyJson[];
const contactOf = (tag: string) => ({
  identities: [{ channel_type: 'chatapp', identifier: newDigits() }],
  tags: [tag],
});
const hello = (text: string) => ({ trigger: 'api_call', steps: [{ do: 'send_message', text }] });

/** The one conversation of a workspace. */
const conversations = new Map<TestWorkspace, Promise<string>>();
function conversationOf({ majlis, workspace }: Pick<Visit, 'majlis' | 'workspace'>): Promise<string> {
  const known = conversations.get(workspace) ?? receiveText(majlis, workspace, newDigits());
  conversations.set(workspace, known);
  return known;
}

function registerNumber({ majlis }: Visit): object {
  const access_token = `token-${randomBytes(6).toString('hex')}`;
  const access = { phone_number_id: `55${randomInt(1e12)}`, waba_id: `66${randomInt(1e12)}`, access_token };
  const app_secret = `secret-${randomBytes(6).toString('hex')}`;
  const callback_url = `${majlis.url}/platform/chatapp/webhook`;
  const shown = { display_phone: '+96880000009', verified_name: 'Majan' };
  majlis.simulator.addNumber({ ...access, ...shown, webhook: { callback_url, app_secret } });
  return { ...access, app_secret };
}

/** What keys make is refused by the contract's code, and the rest by the console's. */
const ofContract: Made[] = [
  {
    kind: 'custom_fields',
    make: ({ workspace: { api } }, key, text) =>
      api.post('/custom-fields', { key, type: 'select', options: [`${text}`] }),
    list: listAt('/custom-field-entries'),
    remove: ({ owner }, { field, version }) =>
      owner.at('DELETE', `/custom-fields?key=${field.key}&version=${encodeURIComponent(version)}`),
  },
  {
    kind: 'tags',
    make: ({ workspace: { api } }, name, text) => api.post('/contacts', contactOf(name + text)),
    list: listAt('/tags'),
    remove: ({ owner }, { name }) => owner.at('POST', '/tag-replacements', { tag: name, to: null }),
  },
  {
    kind: 'templates',
    make: ({ workspace: { api } }, name, text) =>
      api.post('/chatapp/templates', {
        ...{ name, language: 'en', category: 'utility' },
        components: [{ type: 'body', text: `Hello ${text}` }],
      }),
    list: listAt('/chatapp/templates'),
    remove: ({ workspace: { api } }, { id }) => api.request('DELETE', `/chatapp/templates/${id}`),
  },
  {
    kind: 'webhook_endpoints',
    make: ({ workspace: { api } }, name, text) =>
      api.post('/webhook-endpoints', {
        ...{ url: `https://acme.example/${name}`, events: ['message.received'] },
        description: text,
      }),
    list: listAt('/webhook-endpoints'),
    remove: ({ workspace: { api } }, { id }) => api.request('DELETE', `/webhook-endpoints/${id}`),
  },
  {
    kind: 'broadcasts',
    make: ({ workspace: { api } }, name, text) =>
      api.post('/broadcasts', {
        ...{ name: name + text, template: { name: 'order_update', language: 'en' }, send_at: '2099-01-01T00:00:00Z' },
        audience: { recipients: [{ to: `+${newDigits()}`, params: ['Muna', 'A-1'] }] },
      }),
    list: async (visit) => (await listAt('/broadcasts')(visit)).filter(({ status }) => status === 'scheduled'),
    remove: ({ workspace: { api } }, { id }) => api.post(`/broadcasts/${id}/cancel`),
  },
  {
    kind: 'knowledge_sources',
    make: ({ workspace: { api } }, name, text) =>
      api.post('/ai/knowledge-sources', { type: 'text', text: `${name} ${text}` }),
    list: listAt('/knowledge-sources'),
    remove: ({ owner }, { id }) => owner.at('DELETE', `/knowledge-sources/${id}`),
  },
];

const ofConsole: Made[] = [
  {
    kind: 'stages',
    make: ({ owner }, name, text) => owner.at('POST', '/stages', { name: name + text }),
    list: listAt('/stage-entries'),
    remove: ({ owner }, { id, version }) => owner.at('DELETE', `/stages/${id}?version=${encodeURIComponent(version)}`),
  },
  {
    kind: 'closing_categories',
    make: ({ owner }, name, text) => owner.at('POST', '/closing-categories', { name: name + text }),
    list: listAt('/closing-entries'),
    remove: ({ owner }, { id, version }) =>
      owner.at('DELETE', `/closing-categories/${id}?version=${encodeURIComponent(version)}`),
  },
  {
    kind: 'workflows',
    make: ({ owner }, name, text) => owner.at('POST', '/workflows', { name, definition: hello(`Hello ${text}`) }),
    list: listAt('/workflow-states'),
  },
  {
    kind: 'ai_agents',
    make: ({ owner }, name, text) => owner.at('POST', '/ai-agents', { name, instructions: text }),
    list: listAt('/ai/agents'),
  },
  {
    kind: 'channels',
    make: (visit, name, text) => visit.owner.at('POST', '/channels', { name: name + text, ...registerNumber(visit) }),
    list: async (visit) =>
      (await listAt('/channel-states')(visit)).filter(({ channel }) => channel.status !== 'DISCONNECTED'),
    remove: ({ owner }, { channel, version }) => owner.at('POST', `/channels/${channel.id}/disconnection`, { version }),
  },
  {
    kind: 'teams',
    make: ({ owner }, name, text) => owner.at('POST', '/teams', { name: name + text }),
    list: listAt('/team-entries'),
    remove: ({ owner }, { team, version }) =>
      owner.at('DELETE', `/teams/${team.id}?version=${encodeURIComponent(version)}`),
  },
  {
    kind: 'api_keys',
    make: ({ owner }, name, text) =>
      owner.at('POST', '/api-keys', { name: name + text, environment: 'test', scopes: [] }),
    list: listAt('/api-keys'),
    // The first one is that of the workspace file.
    remove: async ({ owner }) => {
      const { id } = (await owner.at('GET', '/api-keys')).body.data.find(({ name }: AnyJson) => name !== 'backend');
      return owner.at('DELETE', `/api-keys/${id}`);
    },
  },
  {
    kind: 'saved_views',
    make: ({ owner }, name, text) => owner.at('POST', '/views', { name, filter: { q: `x${text}` } }),
    list: listAt('/views'),
    remove: ({ owner }, { id }) => owner.at('DELETE', `/views/${id}`),
  },
  {
    kind: 'canned_replies',
    make: ({ owner }, name, text) => owner.at('POST', '/canned-replies', { name, body: `Hello ${text}` }),
    list: listAt('/canned-replies'),
    remove: ({ owner }, { id }) => owner.at('DELETE', `/canned-replies/${id}`),
  },
  {
    kind: 'scheduled_messages',
    make: async ({ owner, ...of }, name, text) =>
      owner.at('POST', scheduledPath(await conversationOf(of)), {
        content: { kind: 'text', body: `${name} ${text}` },
        send_at: new Date(Date.now() + 86_400_000).toISOString(),
      }),
    list: async ({ owner, ...of }) => (await owner.at('GET', scheduledPath(await conversationOf(of)))).body.data,
    remove: ({ owner }, { id, conversation_id, version }) =>
      owner.at('POST', scheduledPath(conversation_id, id, 'cancel'), { version }),
  },
  {
    kind: 'invitations',
    make: ({ owner }, name, text) =>
      owner.at('POST', '/invitations', { email: `${name}.${text}@b.example`, role: 'agent' }),
    list: listAt('/invitations'),
    remove: ({ owner }, { id }) => owner.at('DELETE', `/invitations/${id}`),
  },
  {
    kind: 'members',
    make: async ({ majlis, workspace }, name, text) => {
      const order = { kind: 'invitation', workspace: workspace.applied.workspace.name, role: 'agent' };
      const token = await makeToken(majlis, { ...order, email: `${name}.${people++}@b.example` });
      const body = { token, name: name + text, password };
      // The attempts of one address are limited.
      const headers = { 'x-forwarded-for': `10.0.${people >> 8}.${people & 255}` };
      return openBrowser(majlis).request('POST', '/invitations/accept', body, headers);
    },
    // The owner came first, and stays.
    list: async (here) => (await listAt('/members')(here)).reverse(),
    remove: ({ owner }, { user_id }) => owner.at('DELETE', `/members/${user_id}`),
  },
];

const all = [
  ...ofContract.map((made) => ({ ...made, refusal: [422, 'unprocessable_content'] })),
  ...ofConsole.map((made) => ({ ...made, refusal: [409, 'limit_reached'] })),
];

async function visit(majlis: TestService): Promise<Visit> {
  const workspace = await majlis.workspace();
  return { majlis, workspace, owner: await joinWorkspace(majlis, workspace) };
}

const isMade = ({ status }: Reply) => status >= 200 && status < 300;

for (const { kind, make, list, remove, refusal } of all) {
  describe(`the quota of ${kind}`, () => {
    it('holds in number, for many at once too, and leaves nothing of what it refuses', async () => {
      const here = await visit(few);
      const from = (await list(here)).length;
      for (let n = from; n < most - 1; n++) {
        const made = await make(here, `thing_${n}`, '');
        assert.ok(isMade(made), JSON.stringify(made.body));
      }
      const raced = await Promise.all(Array.from({ length: 5 }, (_, n) => make(here, `raced_${n}`, '')));
      const refused = raced.filter((reply) => !isMade(reply));
      assert.equal(refused.length, 4, JSON.stringify(raced.map(({ body }) => body)));
      for (const { status, body } of refused) {
        assert.deepEqual([status, body.code], refusal);
        assert.match(body.detail ?? body.errors[0].detail, /^There may be 4 .* at most/);
      }
      const full = await list(here);
      assert.equal(full.length, most);
      if (!remove) return;
      assert.ok(isMade(await remove(here, full[0])));
      const next = await make(here, 'next', '');
      assert.ok(isMade(next), JSON.stringify(next.body));
      assert.equal((await list(here)).length, most);
      assert.deepEqual((await make(here, 'beyond', '')).status, refusal[0]);
    });

    it('holds in bytes', async () => {
      const here = await visit(small);
      let made = 0;
      let last: Reply;
      do {
        last = await make(here, `thing_${made}`, `${made}${'x'.repeat(60)}`);
        if (isMade(last)) made += 1;
      } while (isMade(last) && made < 60);
      assert.deepEqual([last.status, last.body.code], refusal, `${made} were made`);
      assert.match(last.body.detail ?? last.body.errors[0].detail, /together may have 4096 bytes/);
      const names = JSON.stringify(await list(here));
      assert.ok(!names.includes(`thing_${made}`));
    });
  });
}

describe('the quota of tags', () => {
  it('refuses a row of an import that has a new tag too many, and takes the others', async () => {
    const { workspace } = await visit(few);
    const contacts = [['a', 'b'], ['c', 'd', 'e'], ['a', 'c'], ['d'], ['e'], ['d']].map((tags) => ({
      identities: [{ channel_type: 'chatapp', identifier: newDigits() }],
      tags,
    }));
    const { body } = await workspace.api.post('/contacts/import', { contacts });
    const code = 'unprocessable_content';
    assert.deepEqual(body, {
      created: 4,
      updated: 0,
      failed: [
        { index: 1, code },
        { index: 4, code },
      ],
    });
  });

  it('has the place again of a tag that several contacts lose at once', async () => {
    const { workspace } = await visit(few);
    const { api } = workspace;
    for (const round of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const names = Array.from({ length: most }, (_, n) => `${round}${n}`);
      const made = await Promise.all([0, 1, 2].map(() => api.post('/contacts', { ...contactOf('x'), tags: names })));
      assert.ok(made.every(isMade), JSON.stringify(made[0]!.body));
      await Promise.all(made.map(({ body }) => api.request('PATCH', `/contacts/${body.id}`, { tags: [] })));
      assert.deepEqual((await api.get('/tags')).body, { data: [] });
    }
  });

  it('refuses a change, by a key or a person, and leaves the contact as it was', async () => {
    const { workspace, owner } = await visit(few);
    const { body: contact } = await workspace.api.post('/contacts', { ...contactOf('a'), tags: ['a', 'b', 'c', 'd'] });
    const path = `/contacts/${contact.id}`;
    const changed = await workspace.api.request('PATCH', path, { tags: ['e'], name: 'Other' });
    assert.deepEqual([changed.status, changed.body.errors[0].pointer], [422, '/tags']);
    const edited = await owner.at('POST', `${path}/edit`, { add_tags: ['e'], changes: { name: 'Other' } });
    assert.deepEqual([edited.status, edited.body.errors[0].pointer], [422, '/tags']);
    assert.deepEqual((await workspace.api.get(path)).body, contact);
  });
});

describe('a quota that was lowered', () => {
  it('lets what is above it shrink, and not grow', async () => {
    const here = await visit(small);
    const options = Array.from({ length: 10 }, (_, n) => `${n}${'x'.repeat(300)}`);
    const field = { key: 'branch', type: 'select', options };
    assert.ok(isMade(await here.workspace.api.post('/custom-fields', field)));
    await few.sql(`update custom_fields set options = options || array_fill('more options'::text, array[400])
      where workspace_id = (select workspace_id from custom_fields where key = 'branch') and key = 'branch'`);
    const change = async (given: string[]) => {
      const [{ version }] = (await here.owner.at('GET', '/custom-field-entries')).body.data;
      return here.owner.at('PATCH', '/custom-fields', { key: 'branch', version, options: given });
    };
    const larger = Array.from({ length: 500 }, (_, n) => `another option ${n}`);
    assert.equal((await change(larger)).status, 422);
    assert.equal((await change(larger.slice(0, 200))).status, 200);
  });
});
