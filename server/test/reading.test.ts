import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import fc from '@majlis/testing/fast-check';
import { pageThrough } from '@majlis/testing/page-through';
import { repeat } from '@majlis/testing/repeat';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';
import { V7Generator } from 'uuidv7';
import { parseId, publicId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', PAGE_SIZE_DEFAULT: '5' } });

let workspace: TestWorkspace;
let conversations = 0;

before(async () => {
  workspace = await majlis.workspace();
});

/** A conversation that nobody has written in: its first message is taken out again. */
async function emptyConversation(): Promise<string> {
  const to = `+96891${100_000 + conversations++}`;
  const { body } = await workspace.api.post('/messages', { to, ...templateMessage });
  await majlis.sql('delete from jobs where queue_key = $1', [parseId('conversation', body.conversation_id)]);
  await majlis.sql('delete from messages where id = $1', [parseId('message', body.id)]);
  return body.conversation_id;
}

const generator = new V7Generator();
// All rows in one millisecond: nothing but the ids can tell their order (hazard H81).
const newUuid = () => generator.generateOrResetCore(1_800_000_000_000, 10_000).toString();

/** Stores rows as other processes would, in one statement; answers their ids, the oldest first. */
async function store(conversation_id: string, count: number, kind = 'text'): Promise<string[]> {
  const ids = Array.from({ length: count }, newUuid);
  await majlis.sql(
    `insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, body, created_at)
     select c.workspace_id, new.id, c.id, c.channel_id, 'inbound', $3, new.id::text, now()
     from conversations c, unnest($2::uuid[]) as new (id) where c.id = $1`,
    [parseId('conversation', conversation_id), ids, kind],
  );
  return ids.map((id) => publicId('message', id));
}

const walk = (conversation_id: string, between?: () => Promise<unknown>) =>
  pageThrough(workspace.api, `/conversations/${conversation_id}/messages`, {}, between);

/** What was read, the oldest first. */
const inOrder = (pages: string[][]) => pages.toReversed().flat();

describe('the messages of a conversation', () => {
  it('come in pages, the newest page first, the oldest message first within, back to the very first', async () => {
    const conversation_id = await emptyConversation();
    const ids = await store(conversation_id, 13);
    assert.deepEqual(await walk(conversation_id), [ids.slice(8), ids.slice(3, 8), ids.slice(0, 3)]);
  });

  it('fill their last page without an empty one after it', async () => {
    const conversation_id = await emptyConversation();
    assert.deepEqual(await walk(conversation_id), [[]]);
    const ids = await store(conversation_id, 10);
    assert.deepEqual(await walk(conversation_id), [ids.slice(5), ids.slice(0, 5)]);
  });

  it('are those of this conversation alone', async () => {
    const [first, second] = [await emptyConversation(), await emptyConversation()];
    const ids = [];
    for (let i = 0; i < 7; i++) {
      ids.push(...(await store(first, 1)));
      await store(second, 1);
    }
    assert.deepEqual(inOrder(await walk(first)), ids);
  });

  it('each appear exactly once, in order, whatever is stored between two pages', async () => {
    const inserts = fc.array(fc.nat({ max: 12 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 40 }), inserts, async (count, more) => {
        const conversation_id = await emptyConversation();
        const ids = await store(conversation_id, count);
        const counts = [...more];
        const pages = await walk(conversation_id, () => store(conversation_id, counts.shift() ?? 0));
        assert.deepEqual(inOrder(pages), ids);
      }),
      { numRuns: 40 },
    );
  });

  it('each appear exactly once while others write', async () => {
    const conversation_id = await emptyConversation();
    const ids = await store(conversation_id, 100);
    const stopWriting = repeat(() => store(conversation_id, 3));
    for (let round = 0; round < 3; round++) {
      const seen = inOrder(await walk(conversation_id));
      assert.deepEqual(seen.slice(0, 100), ids);
      assert.equal(new Set(seen).size, seen.length);
    }
    await stopWriting();
  });

  it('show notes among them, without a status', async () => {
    const conversation_id = await emptyConversation();
    const [id] = await store(conversation_id, 1, 'note');
    const { body } = await workspace.api.get(`/conversations/${conversation_id}/messages`);
    assert.deepEqual([body.data[0].id, body.data[0].kind, body.data[0].status], [id, 'note', undefined]);
  });
});

describe('a message', () => {
  it('shows its latest status, and the reason when it failed', async () => {
    const { api } = workspace;
    const { body: sent } = await api.post('/messages', { to: '+96891234567', ...templateMessage });
    const { body: message } = await eventually(
      () => api.get(`/messages/${sent.id}`),
      ({ body }) => body.status === 'read',
    );
    assert.deepEqual(message, { ...sent, status: 'read' });
    const error = 'Message undeliverable (131026)';
    await majlis.sql(`update messages set status = 'failed', error = $2 where id = $1`, [
      parseId('message', sent.id),
      error,
    ]);
    assert.deepEqual((await api.get(`/messages/${sent.id}`)).body, { ...sent, status: 'failed', error });
    const { body: page } = await api.get(`/conversations/${sent.conversation_id}/messages`);
    assert.deepEqual(page.data, [{ ...sent, status: 'failed', error }]);
  });

  it('shows every member that it has, and leaves out the rest', async () => {
    const conversation_id = await emptyConversation();
    const [quoted, id] = (await store(conversation_id, 2)) as [string, string];
    const media = newUuid();
    await majlis.sql(
      `insert into media (workspace_id, id, mime, size_bytes, created_at) values ($1, $2, 'application/pdf', 1, now())`,
      [parseId('workspace', workspace.id), media],
    );
    const { contact_id } = (await workspace.api.get(`/conversations/${conversation_id}`)).body;
    await majlis.sql(
      `update messages set kind = 'file', body = 'The offer', media_id = $2, filename = 'عرض.pdf',
         mime = 'application/pdf', size_bytes = 104857600, reply_to_id = $3, actor_kind = 'contact', actor_id = null,
         created_at = '2026-11-20T09:00:00.123Z'
       where id = $1`,
      [parseId('message', id), media, parseId('message', quoted)],
    );
    assert.deepEqual((await workspace.api.get(`/messages/${id}`)).body, {
      id,
      conversation_id,
      direction: 'inbound',
      kind: 'file',
      body: 'The offer',
      caption: 'The offer',
      media_id: publicId('media', media),
      filename: 'عرض.pdf',
      mime: 'application/pdf',
      size_bytes: 104_857_600,
      reply_to_id: quoted,
      actor_kind: 'contact',
      actor_id: contact_id,
      created_at: '2026-11-20T09:00:00.123Z',
    });
    const { created_at, ...bare } = (await workspace.api.get(`/messages/${quoted}`)).body;
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const body = parseId('message', quoted);
    assert.deepEqual(bare, { id: quoted, conversation_id, direction: 'inbound', kind: 'text', body });
  });
});
