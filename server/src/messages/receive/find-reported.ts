import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { findByToken } from './find-by-token.ts';

/** What a report names: a message, or a person alone. */
export interface ReportReference {
  workspace_id: string;
  channel_id: string;
  /** Our id, where the report contains it. */
  message_id?: string | undefined;
  platform_message_id?: string | undefined;
  wa_id?: string | undefined;
  user_id?: string | undefined;
  at: Date;
  /** Without a message, the report is about the latest template before it. */
  of_template?: boolean;
}

export interface FoundSubject {
  conversation_id: string;
  message_id: string | null;
}

const selectMessage = statement<FoundSubject>(`
  select m.conversation_id, m.id as message_id from messages m
  where m.workspace_id = $1 and m.channel_id = $2 and m.id = $3
  union all
  select m.conversation_id, m.id from messages m
  where m.workspace_id = $1 and m.channel_id = $2 and m.platform_message_id = $4
  limit 1`);
// Who left a number after the report is its person, whoever has the number by now. A user id is never handed on, so it decides, and a
// number with another user id of the same portfolio is somebody else's.
const selectConversation = statement<FoundSubject>(`
  select c.id as conversation_id, (
    select m.id from messages m where $6 and m.workspace_id = c.workspace_id and m.conversation_id = c.id
      and m.direction = 'outbound' and m.kind = 'template' and m.created_at <= $5
    order by m.id desc limit 1) as message_id
  from channels ch
  left join lateral (
    select f.contact_id from contact_former_names f
    where f.workspace_id = ch.workspace_id and f.name = $3 and f.left_at > $5
    order by f.left_at limit 1
  ) late on true
  cross join lateral (
    select 0 as rank, i.contact_id from contact_identities i
    where i.workspace_id = ch.workspace_id and i.channel_type = ch.type and i.user_id = $4
    union all
    select 2, late.contact_id where late.contact_id is not null
    union all
    select 3, i.contact_id from contact_identities i
    where i.workspace_id = ch.workspace_id and i.channel_type = ch.type and i.wa_id = $3 and late.contact_id is null
      and ($4::text is null or i.user_id is null or i.waba_id <> ch.waba_id)
    union all
    select 1, f.contact_id from contact_former_names f where f.workspace_id = ch.workspace_id and f.name = $4
  ) person
  join conversations c on c.workspace_id = ch.workspace_id and c.contact_id = person.contact_id and c.channel_id = ch.id
  where ch.workspace_id = $1 and ch.id = $2
  order by person.rank, c.last_message_at desc, c.id desc limit 1`);

// The clocks of the platform and of the service differ, and the platform's times are whole seconds.
const toleranceMs = 2_000;

/** The conversation that a report is about, and its message where it is known. */
export async function findReportedSubject(tx: Transaction, of: ReportReference): Promise<FoundSubject | undefined> {
  const { workspace_id, channel_id, message_id = null, platform_message_id, wa_id = null, user_id = null } = of;
  const [named] = await selectMessage(tx, [workspace_id, channel_id, message_id, platform_message_id ?? null]);
  if (named) return named;
  const [byToken] = platform_message_id ? await findByToken(tx, [{ ...of, platform_message_id }]) : [];
  if (byToken) return (await selectMessage(tx, [workspace_id, channel_id, byToken.id, null]))[0];
  const before = new Date(of.at.getTime() + toleranceMs);
  const isOpen = of.of_template === true && platform_message_id === undefined;
  return (await selectConversation(tx, [workspace_id, channel_id, wa_id, user_id, before, isOpen]))[0];
}
