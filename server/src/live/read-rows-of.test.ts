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
