import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Act, drawSequence, type Sequence } from '@majlis/testing/identity-sequences';
import { postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { seededRandom, testSeed } from '@majlis/testing/seeded-random';
import { startTestService } from '@majlis/testing/start-test-service';
import { parseId, publicId } from '../src/database/ids.ts';

// Sequences of all that changes who a person is. Each text ends with the one who wrote it, and nobody is split or joined.
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const workspace_id = parseId('workspace', workspace.id)!;
const atOnce = 25;
const count = 50;
const begin = Math.floor(Date.now() / 1000) - 3_000;

async function contactOf({ number, user_id }: { number: string; user_id: string }): Promise<string | undefined> {
  const [row] = await majlis.sql<{ contact_id: string }>(
    `select contact_id from contact_identities where workspace_id = $1 and (user_id = $2 or wa_id = $3)
     order by user_id = $2 desc nulls last limit 1`,
    [workspace_id, user_id, number],
  );
  return row?.contact_id;
}

async function perform(act: Act): Promise<void> {
  if (act.kind === 'post') return postNotification(majlis, workspace, act.value);
  const ids = await Promise.all(act.people.map(contactOf));
  const [first, second] = ids.map((id) => id && publicId('contact', id));
  if (act.kind === 'erase') {
    if (!first) return;
    const { status } = await workspace.api.request('DELETE', `/contacts/${first}`);
    assert.equal(status, 204);
  } else if (first !== second) {
    const { status, text } = await workspace.api.post(`/contacts/${first}/merge`, { source_contact_id: second });
    assert.equal(status, 200, text);
  }
}

/** The texts of each contact, as sets of those who wrote them, and how the people end. */
async function findFault({ expected: { groupOf, people } }: Sequence): Promise<string | undefined> {
  const rows = await majlis.sql<{ body: string; contact_id: string }>(
    `select m.body, c.contact_id from messages m join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
     where m.workspace_id = $1 and m.body = any ($2)`,
    [workspace_id, [...groupOf.keys()]],
  );
  if (rows.length !== groupOf.size) return `${rows.length} of ${groupOf.size} texts`;
  const contacts = new Map<number, Set<string>>();
  const add = (group: number, contact_id: string) =>
    contacts.set(group, (contacts.get(group) ?? new Set()).add(contact_id));
  for (const { body, contact_id } of rows) add(groupOf.get(body)!, contact_id);
  for (const person of people) add(person.group, (await contactOf(person)) ?? `nobody ${person.user_id}`);
  for (const [group, ids] of contacts) if (ids.size !== 1) return `group ${group} is split: ${ids.size}`;
  if (new Set([...contacts.values()].flatMap((ids) => [...ids])).size !== contacts.size) return 'groups are joined';
  return undefined;
}

it('sequences of all kinds split and join nobody', async () => {
  const faults: string[] = [];
  for (let first = 0; first < count; first += atOnce) {
    const drawn = Array.from({ length: Math.min(atOnce, count - first) }, (_, n) => {
      const seed = testSeed + first + n;
      return { seed, ...drawSequence(seededRandom(seed), begin) };
    });
    const longest = Math.max(...drawn.map(({ acts }) => acts.length));
    for (let step = 0; step < longest; step++) {
      const acts = drawn.flatMap((one) => one.acts[step] ?? []);
      const [posts, calls] = [acts.filter(({ kind }) => kind === 'post'), acts.filter(({ kind }) => kind !== 'post')];
      await Promise.all(posts.map(perform));
      await untilNotificationsProcessed(majlis);
      await Promise.all(calls.map(perform));
    }
    for (const one of drawn) {
      const fault = await findFault(one);
      if (fault) faults.push(`seed ${one.seed}: ${fault}: ${one.acts.map(({ what }) => what).join(', ')}`);
    }
  }
  assert.deepEqual(faults, []);
});
