import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import {
  type ChannelCredentials,
  platformStatus,
  platformText,
  postNotification,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import {
  startTestService,
  type TestService,
  type TestWorkspace,
  templateMessage,
} from '@majlis/testing/start-test-service';
import { whileHeld } from '@majlis/testing/while-held';
import { withTrigger } from '@majlis/testing/with-trigger';

// The time of a statement as in production: what took all of it was refused.
const timeouts = { statement_timeout_ms: 5_000 };
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' }, timeouts });
const workspace = await majlis.workspace();
const neighbour = await majlis.workspace();
const partsOfStep = 200;
// Two quiet cores take 30 s for 30,000 messages.
const processedWithinMs = 170_000;

let customers = 0;
const newCustomer = () => `9715${String(customers++).padStart(8, '0')}`;

/** One text of each of so many new customers, and two more of the first ten. */
function textsOf(count: number): Record<string, unknown>[] {
  const senders = Array.from({ length: count }, newCustomer);
  return [senders, senders.slice(0, 10), senders.slice(0, 10)].flatMap((of, n) =>
    of.map((from) => platformText(from, `text ${n}`)),
  );
}

interface Stored {
  wa_id: string;
  bodies: string[];
}

/** What these messages became, by customer in the order of the messages. */
function storedOf({ sql }: TestService, messages: readonly Record<string, unknown>[]): Promise<Stored[]> {
  return sql(
    `select i.wa_id, array_agg(m.body order by m.id) as bodies from messages m
     join conversations c on c.id = m.conversation_id join contact_identities i on i.contact_id = c.contact_id
     where m.platform_message_id = any ($1) group by 1 order by 1`,
    [messages.map(({ id }) => id)],
  );
}

describe('a notification of many customers', () => {
  for (const senders of [9_000, 30_000]) {
    it(`of ${senders} is acknowledged and stored once, in order, and delays nobody else`, async () => {
      const messages = textsOf(senders);
      await post(majlis, workspace, messages);
      const own = platformText(newDigits(), 'from elsewhere');
      await postNotification(majlis, neighbour, { messages: [own] });
      assert.equal((await neighbour.api.get('/contacts')).status, 200);
      await untilNotificationsProcessed(majlis, processedWithinMs);
      const stored = await storedOf(majlis, messages);
      assert.equal(stored.length, senders);
      const [many, one] = [['text 0', 'text 1', 'text 2'], ['text 0']];
      assert.deepEqual([...new Set(stored.map(({ bodies }) => bodies.join()))].sort(), [one.join(), many.join()]);
      const [before] = await majlis.sql<{ count: number }>(
        `select count(*)::int as count from messages where platform_message_id = any ($1)
           and id < (select id from messages where platform_message_id = $2)`,
        [messages.map(({ id }) => id), own.id],
      );
      assert.ok(before!.count < senders / 2, `the neighbour's message came behind ${before!.count} others`);
    });
  }

  it('enters its jobs in transactions of a bounded number of rows', async () => {
    const messages = textsOf(2_000);
    const counts = await countEntered('', async () => {
      await post(majlis, workspace, messages);
      await untilNotificationsProcessed(majlis);
    });
    assert.equal(sumOf(counts), 2_000);
    const most = Math.max(...counts);
    assert.ok(most <= partsOfStep, `one transaction entered ${most} jobs`);
  });

  it('continues behind the steps that are done, and neither repeats nor omits a part', async () => {
    const messages = textsOf(1_000);
    const inStepFour = messages[3 * partsOfStep + 100]!.from;
    const fails = `if strpos(new.payload, '${inStepFour}') > 0 then raise 'the process ends here'; end if;`;
    const before = await countEntered(fails, async () => {
      await post(majlis, workspace, messages);
      const split = () =>
        majlis.sql(`select steps_done from jobs where kind = 'inbound.split_webhook' and failures > 0`);
      assert.deepEqual(await eventually(split, (jobs) => jobs.length === 1), [{ steps_done: 3 }]);
    });
    const after = await countEntered('', () => untilNotificationsProcessed(majlis));
    assert.deepEqual([sumOf(before), sumOf(after)], [3 * partsOfStep, 1_000 - 3 * partsOfStep]);
    assert.equal((await storedOf(majlis, messages)).length, 1_000);
  });

  it('of one customer or of none is processed in parts too, in order', async () => {
    const customer = newCustomer();
    const messages = Array.from({ length: 1_500 }, (_, n) => platformText(customer, `${n}`));
    const statuses = Array.from({ length: 1_500 }, (_, n) => platformStatus(`wamid.unknown.${n}`, 'read'));
    const counts = await countEntered('', async () => {
      await post(majlis, workspace, messages);
      await postNotification(majlis, workspace, { statuses });
      await untilNotificationsProcessed(majlis);
    });
    assert.equal(sumOf(counts), 15 + 15);
    const [own] = await storedOf(majlis, messages);
    assert.deepEqual(
      own!.bodies,
      messages.map((_, n) => `${n}`),
    );
  });
});

/** Counts the jobs of parts that each transaction entered during `work`. `also` is a further statement for each. */
async function countEntered(also: string, work: () => Promise<void>): Promise<number[]> {
  await majlis.sql('create table entered (transaction_id bigint)');
  try {
    const body = `${also} insert into entered values (txid_current()); return new;`;
    await withTrigger(
      majlis,
      { on: 'before insert on jobs', when: `new.kind = 'inbound.process_webhook'`, body },
      work,
    );
    const rows = await majlis.sql<{ count: number }>(
      'select count(*)::int as count from entered group by transaction_id',
    );
    return rows.map(({ count }) => count);
  } finally {
    await majlis.sql('drop table entered');
  }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

describe('while a notification of many customers is not split yet', async () => {
  // Has no worker.
  const door = await startTestService({ env: { RATE_LIMITS: 'off', ROLES: 'api' } });
  const [own, other] = [await door.workspace(), await door.workspace()];
  const processAll = async () => {
    const worker = await door.another({ ROLES: 'api,worker' });
    await untilNotificationsProcessed(worker);
    await worker.stop();
  };

  it('later ones of the same number keep their order, and those of another number do not wait', async () => {
    const messages = textsOf(1_000);
    const from = messages[0]!.from as string;
    const later = Array.from({ length: 120 }, (_, n) => platformText(from, `later ${n}`));
    const last = platformText(from, 'last');
    await post(door, own, messages);
    for (const one of later) await post(door, own, [one]);
    await post(door, own, textsOf(500));
    await post(door, own, [last]);
    await post(door, other, [platformText(newDigits(), 'hello')]);
    assert.equal((await door.sql(`select from jobs where kind = 'inbound.process_webhook'`)).length, 1);
    await processAll();
    const [stored] = await storedOf(door, [messages[0]!, ...later, last]);
    assert.deepEqual(stored!.bodies, ['text 0', ...later.map((_, n) => `later ${n}`), 'last']);
  });

  it('an erasure takes the person out of it, and leaves the others', async () => {
    const messages = textsOf(800);
    const [gone, stays] = messages as [Record<string, unknown>, Record<string, unknown>];
    const { body } = await own.api.post('/messages', { to: `+${gone.from}`, ...templateMessage });
    const { contact_id } = (await own.api.get(`/conversations/${body.conversation_id}`)).body;
    await post(door, own, messages);
    assert.equal((await own.api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    assert.deepEqual(await door.sql(`select from jobs where strpos(payload, $1) > 0`, [gone.from]), []);
    await processAll();
    assert.deepEqual(await storedOf(door, [gone]), []);
    const stored = await storedOf(door, messages);
    assert.deepEqual([stored.length, stored[0]!.wa_id], [799, stays.from]);
  });
});

it('many notifications of one workspace leave places to split those of another', async () => {
  const service = await startTestService({ env: { RATE_LIMITS: 'off' } });
  const [busy, other] = [await service.workspace(), await service.workspace()];
  const numbers = await addNumbers(service, busy, 5);
  const when = `new.kind = 'inbound.process_webhook' and strpos(new.payload, 'standing still') > 0`;
  const waits = { on: 'before insert on jobs', when, body: 'perform pg_advisory_xact_lock(34); return new;' };
  await withTrigger(service, waits, () =>
    whileHeld(service, 'select pg_advisory_xact_lock(34)', async () => {
      const standing = textsOf(400).map((text) => ({ ...text, text: { body: 'standing still' } }));
      for (const number of numbers) await post(service, number, standing);
      const begun = () => service.sql(`select from jobs where kind = 'inbound.split_webhook' and attempts > 0`);
      await eventually(begun, (jobs) => jobs.length > 0);
      const messages = textsOf(400);
      await post(service, other, messages);
      await eventually(
        () => storedOf(service, messages),
        (stored) => stored.length === 400,
      );
    }),
  );
  await untilNotificationsProcessed(service);
});

/** Numbers of one workspace and one app. */
async function addNumbers(
  service: TestService,
  workspace: TestWorkspace,
  count: number,
): Promise<ChannelCredentials[]> {
  const { waba_id, phone_number_id, app_secret, access_token } = workspace;
  const { name } = workspace.applied.workspace;
  const accounts = Array.from({ length: count }, (_, n) => ({
    waba_id: `${waba_id}${n}`,
    phone_number_id: `${phone_number_id}${n}`,
    app_secret,
  }));
  const channels = accounts.map((account, n) => ({
    ...{ type: 'chatapp', name: `Number ${n}`, display_phone: `+9688000010${n}`, access_token, verify_token: 'verify' },
    ...account,
  }));
  assert.equal((await service.operator('PUT', '/workspaces', { workspace: { name }, channels })).status, 200);
  return accounts;
}

async function post(service: TestService, to: ChannelCredentials, messages: Record<string, unknown>[]): Promise<void> {
  await postNotification(service, to, { messages });
}
