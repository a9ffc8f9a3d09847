import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { dateIn, type PricedNumber, readPricedNumbers } from './priced-numbers.ts';
import { familyOf } from './pricing.ts';

/** A place in the free allowance of a number and month. */
export interface Place {
  category: string;
  /** The first day of the month. */
  month: string;
}

/** A message of a number in a category that may have a free allowance. */
export interface Countable {
  workspace_id: string;
  channel_id: string;
  category: string;
}

/** The allowance of a number in this month, and how many messages have a place in it. */
export interface OpenAllowance extends Countable {
  month: string;
  messages: number;
  used: number;
}

const selectAllowances = statement<{ workspace_id: string; category: string; from_date: string; messages: number }>(`
  select a.workspace_id, a.category, to_char(a.from_date, 'YYYY-MM-DD') as from_date, a.messages
  from unnest($1::uuid[]) as w (workspace_id) join allowances a on a.workspace_id = w.workspace_id
  order by a.from_date`);

const selectUses = statement<{ n: number; used: number }>(`
  select w.n, u.used from json_to_recordset($1) as w (n integer, workspace_id uuid, channel_id uuid, category text, month date)
  join allowance_uses u using (workspace_id, channel_id, category, month)`);

/** Finds the allowances of these messages of `numbers` at a moment, one for each number and category that has one. */
export async function findAllowances(
  connection: Connection,
  messages: readonly Countable[],
  numbers: ReadonlyMap<string, PricedNumber>,
  now: Date,
): Promise<OpenAllowance[]> {
  const workspaces = new Set(
    messages.flatMap(({ workspace_id, channel_id }) => (numbers.get(channel_id)?.has_allowances ? [workspace_id] : [])),
  );
  if (workspaces.size === 0) return [];
  const stored = await selectAllowances(connection, [[...workspaces]]);
  const open = new Map<string, Omit<OpenAllowance, 'used'>>();
  const kinds = new Map(messages.map((message) => [`${message.channel_id} ${message.category}`, message]));
  for (const { workspace_id, channel_id, category } of kinds.values()) {
    const day = dateIn(numbers.get(channel_id)?.timezone ?? 'UTC', now);
    const names = [category, familyOf(category)];
    const begun = stored.filter((one) => one.workspace_id === workspace_id && hasBegun(one, day));
    const found = names.flatMap((name) => begun.findLast((one) => one.category === name) ?? [])[0];
    if (!found) continue;
    const month = `${day.slice(0, 7)}-01`;
    const allowance = { workspace_id, channel_id, category: found.category, month, messages: found.messages };
    open.set(`${channel_id} ${found.category}`, allowance);
  }
  const wanted = [...open.values()];
  const uses = await selectUses(connection, [JSON.stringify(wanted.map((one, n) => ({ ...one, n })))]);
  const used = new Map(uses.map((row) => [row.n, row.used]));
  return wanted.map((one, n) => ({ ...one, used: used.get(n) ?? 0 }));
}

/** `-infinity` has no digits. */
function hasBegun({ from_date }: { from_date: string | null }, day: string): boolean {
  return from_date === null || !/^\d/.test(from_date) || from_date <= day;
}

/** The allowance of a message, if one is open. */
export function allowanceOf(open: readonly OpenAllowance[], { channel_id, category }: Countable) {
  const of = (name: string) => open.find((one) => one.channel_id === channel_id && one.category === name);
  return of(category) ?? of(familyOf(category));
}

const openUses = statement(`
  insert into allowance_uses (workspace_id, channel_id, category, month, used)
  select workspace_id, channel_id, category, month, 0
  from json_to_recordset($1) as w (workspace_id uuid, channel_id uuid, category text, month date)
  order by workspace_id, channel_id, category, month
  on conflict do nothing`);

const lockUses = statement<{ n: number; used: number }>(`
  select w.n, u.used from json_to_recordset($1) as w (n integer, workspace_id uuid, channel_id uuid, category text, month date)
  join allowance_uses u using (workspace_id, channel_id, category, month)
  order by u.workspace_id, u.channel_id, u.category, u.month
  for no key update of u`);

const addUses = statement(`
  update allowance_uses u set used = greatest(0, u.used + w.more)
  from json_to_recordset($1) as w (workspace_id uuid, channel_id uuid, category text, month date, more integer)
  where (u.workspace_id, u.channel_id, u.category, u.month) = (w.workspace_id, w.channel_id, w.category, w.month)`);

/**
 * Gives accepted messages their places in the free allowances, in order. So a quote says before the send what will be booked after
 * the delivery. The counts stay locked until the commit.
 */
export async function takePlaces(
  tx: Transaction,
  messages: readonly Countable[],
  now: Date,
): Promise<(Place | undefined)[]> {
  const open = await findAllowances(tx, messages, await readPricedNumbers(tx, messages), now);
  if (open.length === 0) return messages.map(() => undefined);
  const json = JSON.stringify(open.map((one, n) => ({ ...one, n })));
  await openUses(tx, [json]);
  for (const { n, used } of await lockUses(tx, [json])) open[n]!.used = used;
  const taken = new Map<OpenAllowance, number>();
  const places = messages.map((message) => {
    const allowance = allowanceOf(open, message);
    if (!allowance) return undefined;
    const more = taken.get(allowance) ?? 0;
    if (allowance.used + more >= allowance.messages) return undefined;
    taken.set(allowance, more + 1);
    return { category: allowance.category, month: allowance.month };
  });
  const changes = [...taken].map(([allowance, more]) => ({ ...allowance, more }));
  if (changes.length > 0) await addUses(tx, [JSON.stringify(changes)]);
  return places;
}

/** Gives places back: their messages failed, or cost nothing anyway. */
export async function leavePlaces(
  tx: Transaction,
  left: readonly (Pick<Countable, 'workspace_id' | 'channel_id'> & Place)[],
): Promise<void> {
  if (left.length === 0) return;
  const changes = new Map<string, (typeof left)[number] & { more: number }>();
  for (const place of left) {
    const key = `${place.channel_id} ${place.category} ${place.month}`;
    changes.set(key, { ...place, more: (changes.get(key)?.more ?? 0) - 1 });
  }
  const rows = [...changes.values()];
  await lockUses(tx, [JSON.stringify(rows.map((row, n) => ({ ...row, n })))]);
  await addUses(tx, [JSON.stringify(rows)]);
}
