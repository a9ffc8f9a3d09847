import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';

/** A price of the operator. `country`: ISO 3166, empty for all; `from`: a date, empty for always. */
export interface Rate {
  category: string;
  country?: string | undefined;
  from?: string | undefined;
  /** In minor units of the wallet's currency. */
  fee_minor: number;
}

/** The first messages of each number and calendar month that cost nothing. */
export interface Allowance {
  category: string;
  from?: string | undefined;
  messages: number;
}

const upsertPrices = statement(`
  insert into conversation_prices as p (workspace_id, category, fee_minor)
  select $1, key, value::bigint from json_each_text($2)
  on conflict (workspace_id, category) do update set fee_minor = excluded.fee_minor
  where p.fee_minor <> excluded.fee_minor`);

/** Saves fees by category, in minor units of the wallet's currency. */
export async function savePrices(
  connection: Connection,
  workspace_id: string,
  prices: Readonly<Record<string, number>>,
): Promise<void> {
  await upsertPrices(connection, [workspace_id, JSON.stringify(prices)]);
}

const upsertRates = statement(`
  insert into rates as p (workspace_id, category, country, from_date, fee_minor)
  select $1, category, coalesce(country, ''), coalesce("from", '-infinity'), fee_minor
  from json_to_recordset($2) as r (category text, country text, "from" date, fee_minor bigint)
  on conflict (workspace_id, category, country, from_date) do update set fee_minor = excluded.fee_minor
  where p.fee_minor <> excluded.fee_minor`);

export async function saveRates(connection: Connection, workspace_id: string, rates: readonly Rate[]): Promise<void> {
  await upsertRates(connection, [workspace_id, JSON.stringify(rates)]);
}

const upsertAllowances = statement(`
  insert into allowances as p (workspace_id, category, from_date, messages)
  select $1, category, coalesce("from", '-infinity'), messages
  from json_to_recordset($2) as a (category text, "from" date, messages integer)
  on conflict (workspace_id, category, from_date) do update set messages = excluded.messages
  where p.messages <> excluded.messages`);

export async function saveAllowances(
  connection: Connection,
  workspace_id: string,
  allowances: readonly Allowance[],
): Promise<void> {
  await upsertAllowances(connection, [workspace_id, JSON.stringify(allowances)]);
}
