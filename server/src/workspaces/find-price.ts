import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { familyOf } from './pricing.ts';

const selectPrice = statement<{ fee_minor: number }>(`
  select fee_minor from conversation_prices
  where workspace_id = $1 and category in ($2, $3)
  order by category = $2 desc limit 1`);

/** The operator's price of a category, as `bookFees` takes it. Undefined without one: the fee is then booked with 0. */
export async function findPrice(
  connection: Connection,
  workspace_id: string,
  category: string,
): Promise<number | undefined> {
  return (await selectPrice(connection, [workspace_id, category, familyOf(category)]))[0]?.fee_minor;
}
