import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Api, createApi, type Reply } from '@majlis/testing/api';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { seededRandom } from '@majlis/testing/seeded-random';
import { startTestService } from '@majlis/testing/start-test-service';
import { parseId, publicId } from '../../src/database/ids.ts';

// Looks on and works at nothing: it tells of the others when they have stopped.
const env = { RATE_LIMITS: 'off', ROLES: 'api' };
const delays = { sent_ms: 5, delivered_ms: 40, read_ms: 80, review_ms: 10 };
const majlis = await startTestService({ env, simulator: { delays } });
const services = [await majlis.another({ ROLES: 'api,worker' }), await majlis.another({ ROLES: 'api,worker' })];
const workspace = await majlis.workspace();
const apis = services.map(({ url }) => createApi(url, workspace.key));

const seconds = Number(process.env.LOAD_SECONDS ?? 20);
const people = Array.from({ length: 12 }, newDigits);
const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] } };
const answers: Record<string, number> = {};
const accepted = new Map<string, string>();
/** Of each erasure that was answered: what had been accepted for the contact before, and what of it had gone out by then. */
const erasures: { ids: string[]; gone_out: Set<string> }[] = [];

const random = seededRandom();
const pick = <Value>(values: readonly Value[]): Value => random.pick(values);
const ledger = () => majlis.simulator.ledger().map((entry) => entry.biz_opaque_callback_data!);
const owners = () =>
  majlis.sql<{ contact_id: string; conversation_id: string | null }>(
    `select distinct i.contact_id, c.id as conversation_id from contact_identities i
     left join conversations c on c.workspace_id = i.workspace_id and c.contact_id = i.contact_id`,
  );

function count(what: string, { status, text, body }: Reply): void {
  const name = `${what} ${status}`;
  answers[name] = (answers[name] ?? 0) + 1;
  assert.ok(status < 500, `${what}: ${text}`);
  if (status === 201) accepted.set(body.id, body.conversation_id);
}

const acts: ((api: Api) => Promise<unknown>)[] = [
  async (api) => count('by number', await api.post('/messages', { to: `+${pick(people)}`, ...template })),
  async (api) => {
    const { contact_id } = pick(await owners()) ?? {};
    if (contact_id)
      count('by id', await api.post('/messages', { contact_id: publicId('contact', contact_id), ...template }));
  },
  async (api) => {
    const { conversation_id } = pick(await owners()) ?? {};
    if (!conversation_id) return;
    const url = `/conversations/${publicId('conversation', conversation_id)}`;
    count('in it', await api.post(`${url}/messages`, { kind: 'text', body: 'Hello' }));
    count('note', await api.post(`${url}/notes`, { body: 'Call back' }));
  },
  async () => {
    const [one, other] = [pick(people), pick(people)];
    await postNotification(pick(services), workspace, {
      messages: [platformText(one, 'one'), platformText(other, 'two')],
    });
  },
  async (api) => {
    const identities = [{ channel_type: 'chatapp', identifier: `+${pick(people)}` }];
    const { status, text } = await api.post('/contacts', { identities, name: 'Muna', tags: ['new'] });
    assert.ok(status < 500, text);
  },
  async (api) => {
    const [one, other] = [pick(await owners()), pick(await owners())];
    if (!one || !other) return;
    const body = { source_contact_id: publicId('contact', other.contact_id) };
    count('merge', await api.post(`/contacts/${publicId('contact', one.contact_id)}/merge`, body));
  },
  async (api) => {
    const owner = pick(await owners());
    if (!owner) return;
    const theirs = new Set(
      (await owners()).filter((one) => one.contact_id === owner.contact_id).map((one) => one.conversation_id),
    );
    const ids = [...accepted].filter(([, cv]) => theirs.has(parseId('conversation', cv) ?? null)).map(([id]) => id);
    const reply = await api.request('DELETE', `/contacts/${publicId('contact', owner.contact_id)}`);
    count('erase', reply);
    if (reply.status === 204) erasures.push({ ids, gone_out: new Set(ledger()) });
  },
];

const wanted = ['by number 201', 'by id 201', 'in it 201', 'merge 200', 'erase 204'];

describe('contacts that are erased and merged all the time, while they write and are written to', () => {
  it('is never an error, and leaves no orphan and no second of anything', {
    timeout: (seconds + 120) * 1000,
  }, async () => {
    const end = performance.now() + seconds * 1000;
    // On a busy machine it takes longer until each has happened often enough.
    const hasEnough = () => wanted.every((name) => (answers[name] ?? 0) > 3);
    const isOver = () => performance.now() > end && (hasEnough() || performance.now() > end + 60_000);
    const client = async (n: number) => {
      while (!isOver()) await acts[n % acts.length]!(apis[n % apis.length]!);
    };
    await Promise.all(Array.from({ length: acts.length * 2 }, (_, n) => client(n)));
    await untilNotificationsProcessed(majlis);
    await eventually(
      () => majlis.sql(`select kind from jobs where kind like 'messages.deliver%'`),
      (jobs) => jobs.length === 0,
    );
    await eventually(
      () => majlis.simulator.pending(),
      (left) => left === 0,
    );
    await untilNotificationsProcessed(majlis);
    assert.ok(hasEnough(), JSON.stringify(answers));
    const sent = ledger();
    assert.equal(new Set(sent).size, sent.length, 'each message went out once at most');
    const [wrong] = await majlis.sql(`
      select (select count(*)::int from contacts c
                where not exists (select from contact_identities i where i.contact_id = c.id)) as nameless,
        (select count(*)::int from messages where direction = 'outbound' and kind <> 'note' and status = 'queued') as stuck,
        (select count(*)::int from (select from contact_identities group by identifier having count(*) > 1) as twice) as doubled,
        (select count(*)::int from events e where conversation_id is not null
           and not exists (select from conversations c where c.id = e.conversation_id)) as events,
        (select count(*)::int from jobs where kind = 'inbound.retry_status') as waiting`);
    assert.deepEqual(wrong, { nameless: 0, stuck: 0, doubled: 0, events: 0, waiting: 0 });
    const errors = services.flatMap(({ log }) => log.filter((line) => /"level":"(error|fatal)"/.test(line)));
    assert.deepEqual(errors, []);
  });

  it('begins no call any more once the erasure is answered', () => {
    const sent = new Set(ledger());
    const late = erasures.flatMap(({ ids, gone_out }) => ids.filter((id) => sent.has(id) && !gone_out.has(id)));
    assert.deepEqual(late, []);
  });

  it('came to no deadlock, not even to one that was resolved by trying again', async () => {
    // A session reports its part in deadlocks when it ends.
    await Promise.all(services.map((service) => service.stop()));
    const [row] = await majlis.sql('select deadlocks from pg_stat_database where datname = current_database()');
    assert.deepEqual(row, { deadlocks: 0 });
  });
});
