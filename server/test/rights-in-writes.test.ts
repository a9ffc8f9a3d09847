import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { samples } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { openRequest } from '@majlis/testing/open-request';
import { joinWorkspace, type Member, openBrowser, password } from '@majlis/testing/people';
import { startTestService, templateMessage } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);
const newMember = (role: string) => joinWorkspace(majlis, workspace, { role });
const idOf = ({ user_id }: Member) => parseId('user', user_id);

/** Begins a change of the member, as another request does, and commits it once `write` waits for it. */
async function changedMeanwhile<Answer>(member: Member, change: string, write: () => Promise<Answer>): Promise<Answer> {
  const update = `
    with locked as (select id from users where id = '${idOf(member)}' for update)
    update users u set ${change} from locked where u.id = locked.id`;
  return whileHeld(majlis, update, async (held) => {
    const answer = write();
    await untilWaiting(majlis, 1, 'person_id = $3 for key share');
    await held.commit();
    return answer;
  });
}

const removal = 'person_id = null, removed_at = now()';
const send = (member: Member) => () => member.at('POST', '/messages', { to: `+${newDigits()}`, ...templateMessage });

async function upload({ cookies }: Member) {
  const form = new FormData();
  form.set('file', new Blob([samples.png], { type: 'image/png' }), 'a.png');
  return fetch(`${majlis.url}/console/v1/workspaces/${workspace.id}/media`, {
    method: 'POST',
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'sec-fetch-site': 'same-origin',
    },
    body: form,
  });
}

describe('a write of a person whose rights change before its transaction', () => {
  it('is refused where they are removed: a message', async () => {
    const member = await newMember('agent');
    const { status } = await changedMeanwhile(member, removal, send(member));
    assert.equal(status, 404);
  });

  it('is refused where their role is lowered: a template, an API key, an invitation, a shared view', async () => {
    const writes: ((member: Member) => ReturnType<Member['at']>)[] = [
      (member) => member.at('POST', '/custom-fields', { key: `k${newDigits()}`, label: 'Size', type: 'text' }),
      (member) => member.at('POST', '/api-keys', { name: newDigits(), environment: 'test', scopes: [] }),
      (member) => member.at('POST', '/invitations', { email: `${newDigits()}@acme.example`, role: 'admin' }),
      (member) => member.at('POST', '/views', { name: 'All', shared: true, filter: {} }),
    ];
    for (const write of writes) {
      const member = await newMember('admin');
      const { status, body } = await changedMeanwhile(member, `role = 'agent'`, () => write(member));
      assert.deepEqual([status, body.code], [403, 'role_insufficient'], JSON.stringify(body));
    }
  });

  it('is refused where it calls elsewhere or reads a file first: an upload, an endpoint, a source, an erasure', async () => {
    const { body: message } = await workspace.api.post('/messages', { to: `+${newDigits()}`, ...templateMessage });
    const { contact_id } = (await workspace.api.get(`/conversations/${message.conversation_id}`)).body;
    const { body: endpoint } = await workspace.api.post('/webhook-endpoints', {
      url: 'http://127.0.0.1:9/',
      events: ['*'],
    });
    const writes: ((member: Member) => Promise<{ status: number }>)[] = [
      upload,
      (member) => member.at('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/late', events: ['*'] }),
      (member) => member.at('PATCH', `/webhook-endpoints/${endpoint.id}`, { enabled: false }),
      (member) => member.at('POST', '/ai/knowledge-sources', { type: 'text', text: 'Open at nine.' }),
      (member) => member.at('DELETE', `/contacts/${contact_id}`),
    ];
    for (const write of writes) {
      const member = await newMember('admin');
      const answer = await changedMeanwhile(member, removal, () => write(member));
      assert.equal(answer.status, 404, String(write));
    }
    assert.equal((await workspace.api.get(`/contacts/${contact_id}`)).status, 200);
    const { body: endpoints } = await workspace.api.get('/webhook-endpoints');
    assert.deepEqual(
      endpoints.data.map(({ url, enabled }: { url: string; enabled: boolean }) => [url, enabled]),
      [['http://127.0.0.1:9/', true]],
    );
    assert.deepEqual(await majlis.sql('select id from media'), []);
  });

  it('is refused where they are limited to their own teams', async () => {
    const member = await newMember('agent');
    const { status, body } = await changedMeanwhile(member, 'own_teams_only = true', send(member));
    assert.deepEqual([status, body.code], [403, 'role_insufficient'], JSON.stringify(body));
  });

  it('is refused where it tries the knowledge, which a model may take long to find', async () => {
    const member = await newMember('admin');
    const search = () => member.at('POST', '/knowledge-searches', { question: 'When do you open?' });
    assert.equal((await search()).status, 200);
    const { status, body } = await changedMeanwhile(member, `role = 'agent'`, search);
    assert.deepEqual([status, body.code], [403, 'role_insufficient'], JSON.stringify(body));
  });

  it('is refused where they change members, as an admin who was lowered', async () => {
    const [member, other] = [await newMember('admin'), await newMember('agent')];
    const raise = () => member.at('PATCH', `/members/${other.user_id}`, { role: 'admin' });
    const { body } = await changedMeanwhile(member, `role = 'agent'`, raise);
    assert.equal(body.code, 'role_insufficient');
    const { body: members } = await owner.at('GET', '/members');
    assert.equal(members.data.find(({ user_id }: Member) => user_id === other.user_id).role, 'agent');
  });

  it('leaves the writes of others in the same batch alone', async () => {
    const [leaver, stayer] = [await newMember('agent'), await newMember('agent')];
    const answers = await changedMeanwhile(leaver, removal, () =>
      Promise.all([leaver, stayer, leaver, stayer].map((member) => send(member)())),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 201, 404, 201],
    );
    const authors = await majlis.sql(`select actor_id from messages where actor_id = any($1::uuid[])`, [
      [idOf(leaver), idOf(stayer)],
    ]);
    assert.deepEqual(authors, [{ actor_id: idOf(stayer) }, { actor_id: idOf(stayer) }]);
  });
});

describe('a request of a session that ends while the body arrives', () => {
  const here = `/workspaces/${workspace.id}`;
  const message = { to: `+${newDigits()}`, ...templateMessage };
  const requests: Record<string, { line: string; body: object; key?: string }> = {
    'an API key': { line: `POST ${here}/api-keys`, body: { name: 'late', environment: 'test', scopes: [] } },
    'a message': { line: `POST ${here}/messages`, body: message },
    'the stored answer of an idempotency key': { line: `POST ${here}/messages`, body: message, key: 'again' },
    'a read with a body': { line: `POST ${here}/workflow-checks`, body: {} },
    'a change of the own profile': { line: 'PATCH /profile', body: { name: 'Somebody else' } },
    'a name of a passkey': { line: 'PATCH /passkeys/key_1', body: { name: 'Mine' } },
  };
  for (const [name, { line, body, key }] of Object.entries(requests)) {
    it(`is refused: ${name}`, async () => {
      const member = await newMember('admin');
      const recovered = openBrowser(majlis);
      await recovered.post('/sign-in', { email: member.email, password });
      const text = JSON.stringify(body);
      if (key) {
        const { status } = await member.request('POST', `${here}/messages`, body, { 'idempotency-key': key });
        assert.equal(status, 201);
      }
      const late = await beginRequest(member, line, [
        `Content-Length: ${text.length}`,
        ...(key ? [`Idempotency-Key: ${key}`] : []),
      ]);
      const { body: sessions } = await recovered.get('/sessions');
      for (const { id } of sessions.data.filter(({ current }: { current: boolean }) => !current)) {
        assert.equal((await recovered.request('DELETE', `/sessions/${id}`)).status, 204);
      }
      // A body takes its time to arrive.
      await majlis.advance(1);
      late.socket.write(text);
      assert.match(await late.ended, /^HTTP\/1\.1 401 .*"signed_out"/s);
      assert.equal((await recovered.get('/session')).body.person.name, `Person ${member.email}`);
    });
  }

  /** Sends the head of a request, and waits until its session was read: a request marks the session once a minute. */
  async function beginRequest({ cookies, user_id }: Member, line: string, headers: readonly string[]) {
    const readSeen = async () => {
      const [row] = await majlis.sql<{ seen: string }>(
        `select max(last_seen_at)::text as seen from sessions join users using (person_id) where users.id = $1`,
        [parseId('user', user_id)],
      );
      return row!.seen;
    };
    const before = await readSeen();
    await majlis.advance(61);
    const request = await openRequest(majlis.url, [
      `${line.replace(' ', ' /console/v1')} HTTP/1.1`,
      `Cookie: ${[...cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`,
      ...['Connection: close', 'Sec-Fetch-Site: same-origin'],
      'Content-Type: application/json',
      ...headers,
    ]);
    await eventually(readSeen, (seen) => seen !== before);
    return request;
  }
});
