import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Act, deliverLate, drawSequence, type Sequence } from '@majlis/testing/identity-sequences';
import { postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { type SeededRandom, seededRandom, testSeed } from '@majlis/testing/seeded-random';
import { startTestService } from '@majlis/testing/start-test-service';
import { parseId, publicId } from '../src/database/ids.ts';

// Sequences of all that changes who a person is. Each text ends with the one who wrote it, and nobody is split or joined.
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const workspace_id = parseId('workspace', workspace.id)!;
/** The usual run draws few. IDENTITY_SEQUENCES draws more, with many sequences in one notification, for a run of this file alone. */
const count = Number(process.env.IDENTITY_SEQUENCES ?? 50);
const [atOnce, together] = count > 50 ? [500, 50] : [25, 1];
const begin = Math.floor(Date.now() / 1000) - 3_000;

async function contactOf({ number, user_id }: { number: string; user_id: string }): Promise<string | undefined> {
  const [row] = await majlis.sql<{ contact_id: string }>(
    `select contact_id from contact_identities where workspace_id = $1 and (user_id = $2 or wa_id = $3)
     order by user_id = $2 desc nulls last limit 1`,
    [workspace_id, user_id, number],
  );
  return row?.contact_id;
}

/** The values of notifications, each with the messages of `together` sequences. */
function inNotifications(posts: readonly Act[]): Record<string, unknown>[] {
  const values = posts.flatMap((act) => (act.kind === 'post' ? [act.value] : []));
  return Array.from({ length: Math.ceil(values.length / together) }, (_, n) => {
    const some = values.slice(n * together, (n + 1) * together);
    const all = (name: string) => some.flatMap((value) => (value[name] ?? []) as unknown[]);
    return { contacts: all('contacts'), messages: all('messages') };
  });
}

async function call(act: Act): Promise<void> {
  if (act.kind === 'post') return;
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

async function findFaults(draw: (random: SeededRandom) => Sequence): Promise<string[]> {
  const faults: string[] = [];
  for (let first = 0; first < count; first += atOnce) {
    const drawn = Array.from({ length: Math.min(atOnce, count - first) }, (_, n) => {
      const seed = testSeed + first + n;
      return { seed, ...draw(seededRandom(seed)) };
    });
    const longest = Math.max(...drawn.map(({ acts }) => acts.length));
    for (let step = 0; step < longest; step++) {
      const acts = drawn.flatMap((one) => one.acts[step] ?? []);
      const [posts, calls] = [acts.filter(({ kind }) => kind === 'post'), acts.filter(({ kind }) => kind !== 'post')];
      await Promise.all(inNotifications(posts).map((value) => postNotification(majlis, workspace, value)));
      await untilNotificationsProcessed(majlis);
      await Promise.all(calls.map(call));
    }
    for (const one of drawn) {
      const fault = await findFault(one);
      if (fault) faults.push(`seed ${one.seed}: ${fault}: ${one.acts.map(({ what }) => what).join(', ')}`);
    }
  }
  return faults;
}

it('sequences of all kinds split and join nobody', async () => {
  assert.deepEqual(await findFaults((random) => drawSequence(random, begin)), []);
});

// Most notifications name a person by the number and the user id, and the platform tells its time with each.
it('sequences that are delivered late, or in any order, split and join nobody', async () => {
  const faults = await findFaults((random) => {
    const { acts, expected } = drawSequence(random, begin, { both_ids_only: true, kinds: 8 });
    return { acts: deliverLate(random, acts, random.pick([5, 5, 100])), expected };
  });
  assert.deepEqual(faults, []);
});
