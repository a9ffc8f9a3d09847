import assert from 'node:assert/strict';
import { publicId } from '../../../server/src/database/ids.ts';
import type { FaultEnvironment } from './fault-environment.ts';
import { prices, wallet } from './fault-workspace.ts';
import type { Acknowledged } from './keep-sending.ts';
import { silentNumber } from './silent-number.ts';

interface Promises {
  acknowledged: readonly Acknowledged[];
  /** The platform's ids of the customers' messages. */
  written: readonly string[];
}

interface Outbound {
  id: string;
  recipient: string;
  status: string;
  error: string | null;
  outcome_unknown: boolean;
  platform_message_id: string | null;
}

export interface Counts {
  accepted: number;
  /** In the platform's ledger. */
  carried: number;
  /** Sends that failed with an unknown outcome, and the part of them in the platform's ledger. */
  unknown: number;
  unknown_yet_carried: number;
  /** Delivered by the platform at a price. */
  charged: number;
  received: number;
}

/**
 * Compares acknowledged sends, stored rows and the platform's ledger. Call it after `untilSettled`, when every send
 * is acknowledged.
 */
export async function assertReconciled(
  environment: FaultEnvironment,
  { acknowledged, written }: Promises,
): Promise<Counts> {
  const stored = await storedMessages(environment);
  assertEqualSets(
    acknowledged.map(({ id }) => id),
    stored.map(({ id }) => id),
    'what was acknowledged is stored once, and nothing else is',
  );
  const carried = assertLedger(environment, stored);
  const unknown = stored.filter(({ status }) => status === 'failed');
  const charged = await assertFees(environment, stored);
  await assertReceived(environment, written);
  await assertEvents(environment, stored);
  await assertSingle(environment);
  return {
    accepted: stored.length,
    carried: carried.size,
    unknown: unknown.length,
    unknown_yet_carried: unknown.filter(({ id }) => carried.has(id)).length,
    charged,
    received: written.length,
  };
}

/**
 * Every message is in the ledger once and has the status of the last report, or its outcome is unknown.
 * Answers the message ids of the ledger.
 */
function assertLedger({ simulator }: FaultEnvironment, stored: readonly Outbound[]): Set<string> {
  const ledger = simulator.ledger();
  assertUnique(
    ledger.map((entry) => entry.biz_opaque_callback_data!),
    'the platform was given each message at most once',
  );
  const wamids = new Map(ledger.map((entry) => [entry.biz_opaque_callback_data!, entry.wamid]));
  for (const message of stored) {
    const wamid = wamids.get(message.id);
    if (message.status === 'failed') assert.match(message.error ?? '', /^The outcome is unknown: /);
    else
      assert.deepEqual({ ...message, error: null, platform_message_id: wamid, status: lastReport(message) }, message);
    if (wamid === undefined) assert.equal(message.status, 'failed', `${message.id} never reached the platform`);
  }
  const carried = new Set(wamids.keys());
  const unknownToStore = carried.difference(new Set(stored.map(({ id }) => id)));
  assert.deepEqual([...unknownToStore], [], 'the platform was given nothing that is not stored');
  return carried;
}

function lastReport({ recipient }: Outbound): string {
  return recipient === silentNumber ? 'queued' : 'read';
}

/**
 * Every delivered message has one ledger entry (hazard H77): its price if the platform charged for it, else zero. The
 * wallet holds the rest. Answers the number of charged messages.
 */
async function assertFees({ simulator, sql }: FaultEnvironment, stored: readonly Outbound[]): Promise<number> {
  const fees = await sql<{ id: string; category: string; amount: number }>(
    `select reference as id, category, amount_minor::int as amount from ledger_entries where kind = 'conversation_fee'`,
  );
  assertEqualSets(
    stored.filter(({ status }) => status === 'delivered' || status === 'read').map(({ id }) => id),
    fees.map(({ id }) => publicId('message', id)),
    'what reached a customer is booked once, and nothing else is',
  );
  const charged = simulator.ledger().filter(({ charged_as }) => charged_as !== null);
  const price = (category: string) => prices[category as keyof typeof prices];
  assertEqualSets(
    charged.map(({ biz_opaque_callback_data: id, charged_as }) => `${id} ${-price(charged_as!)}`),
    fees.filter(({ amount }) => amount !== 0).map(({ id, amount }) => `${publicId('message', id)} ${amount}`),
    'what the platform charged for is drawn once, at its price',
  );
  const [sums] = await sql('select sum(balance_minor)::float as left, count(*)::int as wallets from wallets');
  const spent = charged.reduce((sum, { charged_as }) => sum + price(charged_as!), 0);
  assert.equal(sums!.left, sums!.wallets * wallet.balance_minor - spent, 'a wallet has what its fees leave');
  return charged.length;
}

async function assertReceived({ sql }: FaultEnvironment, written: readonly string[]): Promise<void> {
  const rows = await sql<{ id: string }>(
    `select platform_message_id as id from messages where direction = 'inbound' order by 1`,
  );
  assertEqualSets(
    written,
    rows.map(({ id }) => id),
    'what customers wrote is stored once',
  );
  const events = await sql<{ id: string }>(
    `select payload::json -> 'data' -> 'message' ->> 'id' as id from events where type = 'message.received'`,
  );
  assert.equal(events.length, written.length, 'each received message has its event');
  assertUnique(
    events.map(({ id }) => id),
    'no message was received twice',
  );
}

const ranks = ['queued', 'sent', 'delivered', 'read'];

/** The events of a message report each of its statuses once and in order, up to the last. */
async function assertEvents({ sql }: FaultEnvironment, stored: readonly Outbound[]): Promise<void> {
  const rows = await sql<{ id: string; status: string }>(
    `select payload::json -> 'data' -> 'message' ->> 'id' as id, payload::json -> 'data' -> 'message' ->> 'status' as status
     from events where type = 'message.status_updated' order by created_at, id`,
  );
  const told = Map.groupBy(rows, ({ id }) => id);
  for (const { id, status } of stored) {
    const statuses = (told.get(id) ?? []).map((event) => event.status);
    assert.equal(statuses.at(-1) ?? 'queued', status, `the last event of ${id} tells its status`);
    const places = statuses.filter((one) => one !== 'failed').map((one) => ranks.indexOf(one));
    assert.deepEqual(places, [...new Set(places)].sort(), `the events of ${id} go forwards: ${statuses}`);
  }
}

/** After any number of crashes there is one contact for each number and one conversation for each contact. */
async function assertSingle({ sql }: FaultEnvironment): Promise<void> {
  const [row] = await sql(
    `select (select count(*) from contacts) = (select count(*) from contact_identities) as contacts,
            (select count(*) from contacts) = (select count(*) from conversations) as conversations`,
  );
  assert.deepEqual(row, { contacts: true, conversations: true });
}

async function storedMessages({ sql }: FaultEnvironment): Promise<Outbound[]> {
  const rows = await sql<Outbound>(
    `select id, recipient, status, error, outcome_unknown, platform_message_id from messages where direction = 'outbound'`,
  );
  return rows.map((row) => ({ ...row, id: publicId('message', row.id) }));
}

function assertEqualSets(expected: readonly string[], actual: readonly string[], message: string): void {
  assertUnique(expected, message);
  assertUnique(actual, message);
  const [wanted, found] = [new Set(expected), new Set(actual)];
  const lost = [...wanted.difference(found)];
  const surplus = [...found.difference(wanted)];
  assert.deepEqual({ lost, surplus }, { lost: [], surplus: [] }, message);
}

function assertUnique(values: readonly string[], message: string): void {
  const seen = new Set<string>();
  const doubles = values.filter((value) => seen.size === seen.add(value).size);
  assert.deepEqual(doubles, [], message);
}
