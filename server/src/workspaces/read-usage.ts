import type { Usage } from '@majlis/contract';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { momentsOf } from './calendar.ts';
import { familyOf } from './prices/pricing.ts';
import { readDateRange } from './read-date-range.ts';

interface Counts {
  messages_sent: number;
  ai_credits: number;
  seats: number;
}

const countUsage = statement<Counts>(`
  select
    (select count(*) from messages where workspace_id = $1 and direction = 'outbound' and kind <> 'note'
      and created_at >= $2 and created_at < $3 and status in ('sent', 'delivered', 'read'))
      + (select coalesce(sum(sent), 0)::bigint from deleted_message_counts
        where workspace_id = $1 and quarter_at >= $2 and quarter_at < $3) as messages_sent,
    (select coalesce(sum(credits), 0)::bigint from ai_usage
      where workspace_id = $1 and created_at >= $2 and created_at < $3) as ai_credits,
    (select count(*) from users where workspace_id = $1 and created_at < $3 and removed_at is null) as seats`);

const countConversations = statement<{ category: string; conversations: number }>(`
  select category, count(*) as conversations from ledger_entries
  where workspace_id = $1 and created_at >= $2 and created_at < $3 and category is not null
  group by category`);

/** Reads the usage of a range of days by the workspace's calendar, both days included. */
export async function readUsage(
  connection: Connection,
  workspace_id: string,
  dates: { from: string; to: string },
): Promise<Usage> {
  const { timezone, ...range } = await readDateRange(connection, workspace_id, dates);
  const { starts_at, ends_at } = momentsOf(range, timezone);
  const values = [workspace_id, starts_at, ends_at];
  const counts = await countUsage(connection, values);
  const categories = await countConversations(connection, values);
  const conversationsOf = (family: string) =>
    categories.reduce((sum, row) => sum + (familyOf(row.category) === family ? row.conversations : 0), 0);
  return {
    ...counts[0]!,
    conversations: {
      marketing: conversationsOf('marketing'),
      utility: conversationsOf('utility'),
      service: conversationsOf('service'),
    },
  };
}
