import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FedChange } from './feed.ts';
import type { LiveStream } from './live-stream.ts';
import { readRowsOf } from './read-rows-of.ts';

const workspace_id = '00000000-0000-4000-8000-000000000000';

/** How many rows are asked for, if any, for a typing, for changes of so many conversations and contacts, and streams of so many people. */
async function askedFor({ conversations = 0, contacts = 0, people = 1 }): Promise<number | undefined> {
  const change = { workspace_id, is_present: true, details: null, object_id: null };
  const changes = [
    { ...change, kind: 'typing', conversation_id: 'cv 0' },
    ...Array.from({ length: conversations }, (_, n) => ({ ...change, kind: 'message', conversation_id: `cv ${n}` })),
    ...Array.from({ length: contacts }, (_, n) => ({ ...change, kind: 'contact', object_id: `ct ${n}` })),
  ] as unknown as FedChange[];
  const streams = Array.from({ length: people }, (_, n) => ({
    memberships: [{ workspace_id, user_id: `user ${n}`, role: 'agent', team_ids: null }],
  })) as unknown as LiveStream[];
  let asked: number | undefined;
  await readRowsOf(changes, streams, async ({ conversation_ids, contact_ids }) => {
    asked = conversation_ids.length + contact_ids.length;
    return new Map();
  });
  return asked;
}

it('rows of up to 20 conversations and contacts are read at once, and 4,000 for all people together', async () => {
  for (const [of, expected] of [
    [{}, undefined],
    [{ conversations: 12, contacts: 8 }, 20],
    [{ conversations: 12, contacts: 9 }, undefined],
    [{ conversations: 20, people: 200 }, 20],
    [{ conversations: 20, people: 201 }, undefined],
    [{ conversations: 1, people: 4_000 }, 1],
    [{ conversations: 1, people: 4_001 }, undefined],
  ] as const) {
    assert.equal(await askedFor(of), expected, JSON.stringify(of));
  }
});

it('rows are read for what changes them, and for the members of the workspace alone', async () => {
  const change = { workspace_id, is_present: true, details: null, object_id: null, conversation_id: null };
  const changes = [
    { ...change, kind: 'message', conversation_id: 'told' },
    { ...change, kind: 'message', conversation_id: 'gone', is_present: false },
    { ...change, kind: 'conversation', conversation_id: 'valued', details: { unread_count: 1 } },
    { ...change, kind: 'status', conversation_id: 'delivered', details: { status: 'delivered' } },
    { ...change, kind: 'contact', object_id: 'named' },
    { ...change, kind: 'contact' },
    { ...change, kind: 'channel', object_id: 'not a contact' },
    { ...change, kind: 'message', conversation_id: 'elsewhere', workspace_id: 'of many' },
    ...Array.from({ length: 20 }, (_, n) => ({
      ...{ ...change, kind: 'message', conversation_id: `cv ${n}`, workspace_id: 'of many' },
    })),
  ] as unknown as FedChange[];
  const memberships = [
    { workspace_id, user_id: 'own' },
    { workspace_id: 'of many', user_id: 'of another' },
  ];
  const rows = new Map([
    ['told', { contact_id: 'named' }],
    ['other', { contact_id: 'another' }],
  ]);
  const asked: object[] = [];
  const rowsOf = await readRowsOf(changes, [{ memberships } as unknown as LiveStream], async (reading) => {
    asked.push(reading);
    return rows as never;
  });
  assert.deepEqual(asked, [
    { workspace_id, conversation_ids: ['told', 'delivered'], contact_ids: ['named'], user_ids: ['own'] },
  ]);
  const told = [rows.get('told')];
  const none = undefined;
  assert.deepEqual(changes.slice(0, 8).map(rowsOf), [told, none, none, none, told, none, none, none]);
});
