import type { MessageAnalytics } from '@majlis/contract';
import type { Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { transaction } from '../database/transaction.ts';
import { momentsOf } from '../workspaces/calendar.ts';
import { readDateRange } from '../workspaces/read-date-range.ts';

// A funnel: who read was delivered, and who was delivered was sent. The list of messages is ordered by id, so a customer
// whose last message has the greater one wrote after this message.
const figures = `
  select count(*) filter (where m.status in ('sent', 'delivered', 'read')) as sent,
    count(*) filter (where m.status in ('delivered', 'read')) as delivered,
    count(*) filter (where m.status = 'read') as read,
    count(*) filter (where m.status in ('sent', 'delivered', 'read') and c.last_customer_message_id > m.id) as replied,
    count(*) filter (where m.status = 'failed') as failed
  from messages m join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
  where m.workspace_id = $1 and m.direction = 'outbound' and m.created_at >= $2 and m.created_at < $3`;

const analyseAll = statement<MessageAnalytics>(`${figures} and m.kind <> 'note'`);
const analyseTemplate = statement<MessageAnalytics>(
  `${figures} and m.kind = 'template' and (m.content ->> 'name') = $4`,
);

// By hash, the 600,000 messages of two months meet their 200,000 conversations in 1 s; looked up one by one, in 3 to 6. The
// planner, which does not know the period, expects few and would look them up; a single day pays for that with 50 ms.
const joinByHash = statement(
  `select set_config('enable_hashjoin', 'on', true), set_config('enable_nestloop', 'off', true)`,
);

/** What became of the messages that were accepted on these days; of one template, by its name, where it is given. */
export async function analyseMessages(
  pool: Pool,
  workspace_id: string,
  { template, ...dates }: { from: string; to: string; template?: string },
): Promise<MessageAnalytics> {
  const { timezone, ...range } = await readDateRange(pool, workspace_id, dates);
  const { starts_at, ends_at } = momentsOf(range, timezone);
  const values = [workspace_id, starts_at, ends_at];
  const rows = await transaction(pool, async (tx) => {
    await joinByHash(tx, []);
    return template === undefined ? analyseAll(tx, values) : analyseTemplate(tx, [...values, template]);
  });
  return rows[0]!;
}
