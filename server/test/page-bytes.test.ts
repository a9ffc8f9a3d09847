import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';

const most_bytes = 20_000;
const majlis = await startTestService({ env: { RATE_LIMITS: 'off', PAGE_BYTES_MAX: String(most_bytes) } });
const { api, ...workspace } = await majlis.workspace();

interface Walked {
  ids: string[];
  sizes: number[];
}

async function walk(path: string): Promise<Walked> {
  const ids: string[] = [];
  const sizes: number[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await api.get(`${path}${cursor}`);
    assert.equal(status, 200);
    sizes.push(Buffer.byteLength(JSON.stringify(body.data)));
    for (const { id } of body.data) ids.push(id);
    assert.equal(body.has_more, body.next_cursor !== undefined);
    if (!body.has_more) return { ids, sizes };
    cursor = `${path.includes('?') ? '&' : '?'}cursor=${body.next_cursor}`;
  }
}

it('a page of large contacts ends at its bytes, and the next one continues', async () => {
  const made: string[] = [];
  for (let n = 0; n < 12; n++) {
    const identities = [{ channel_type: 'chatapp', identifier: newDigits() }];
    // Characters of three bytes and characters that JSON escapes.
    const tags = Array.from({ length: 5 }, (_, m) => `${m}${(n % 2 ? '\u20ac' : '\u0001').repeat(400)}`);
    made.push((await api.post('/contacts', { identities, tags })).body.id);
  }
  const { ids, sizes } = await walk('/contacts?limit=100');
  assert.deepEqual(ids, made.toReversed());
  assert.ok(sizes.length > 2 && sizes.every((size) => size <= most_bytes + 2), String(sizes));
});

it('a page has one entry at least, and the messages of a page stay in order', async () => {
  const conversation_id = await receiveText(majlis, { ...workspace, api } as never, newDigits());
  const path = `/conversations/${conversation_id}`;
  const notes: string[] = [];
  for (const length of [30_000, 5_000, 5_000, 5_000, 30_000, 10]) {
    notes.push((await api.post(`${path}/notes`, { body: 'x'.repeat(length) })).body.id);
  }
  const { body: first } = await api.get(`${path}/messages`);
  assert.deepEqual(
    first.data.map(({ id }: { id: string }) => id),
    notes.slice(-1),
  );
  const pages: string[][] = [];
  for (let cursor = ''; ; ) {
    const { body } = await api.get(`${path}/messages${cursor}`);
    pages.unshift(body.data.map(({ id }: { id: string }) => id));
    if (!body.has_more) break;
    cursor = `?cursor=${body.next_cursor}`;
  }
  assert.deepEqual(pages.flat().slice(1), notes);
  assert.deepEqual(pages.slice(1), [[notes[0]], notes.slice(1, 4), [notes[4]], [notes[5]]].slice(-pages.length + 1));
});
