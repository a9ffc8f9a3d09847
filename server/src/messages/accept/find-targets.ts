import type { TemplateComponent } from '@majlis/contract';
import { lowestIdIn } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { lockForUse, type MediaRow } from '../../media/queries.ts';
import { waIdVariants } from '../../platform/number-variants.ts';
import type { Clock } from '../../process/clock.ts';
import type { SendState } from '../rules.ts';

/** The ids and normalised numbers in a send. */
export interface TargetNames {
  workspace_id: string;
  conversation_id?: string | undefined;
  channel_id?: string | undefined;
  contact_id?: string | undefined;
  /** E.164. */
  identifier?: string | undefined;
  /** The digits of the same number, which may be the platform's id of the person. */
  wa_id?: string | undefined;
  template_name?: string | undefined;
  template_language?: string | undefined;
  reply_to_id?: string | undefined;
  /** The file of the message, or of its template's header. */
  media_id?: string | undefined;
}

/** The rows that the names of a send refer to; null for a missing one. */
export interface SendTarget extends SendState {
  channel_id: string | null;
  channel_type: string | null;
  is_disconnected: boolean | null;
  /** How marketing templates leave. */
  marketing_route: string | null;
  contact_id: string | null;
  /** The contact that has the given number; it may differ from the named one. */
  owner_contact_id: string | null;
  marketing_opt_in: boolean | null;
  /** No message from or to the contact is stored yet. */
  is_unwritten: boolean | null;
  identifier: string | null;
  wa_id: string | null;
  user_id: string | null;
  conversation_id: string | null;
  template_category: string | null;
  template_components: TemplateComponent[] | null;
  template_parameter_format: string | null;
  reply_to_id: string | null;
  reply_conversation_id: string | null;
  /** The end of the free time that an advertisement opened, as far as it lasts; the last moment of an answer that opens it. */
  free_until: Date | null;
  entry_answerable_until: Date | null;
  /** The workspace has free allowances. */
  has_allowances: boolean;
  /** A workflow waits for a missing reply of the customer. */
  is_followed_up: boolean;
  /** A workflow starts with a new conversation. */
  is_greeted: boolean;
  media: MediaRow | null;
}

const selectTargets = statement<Omit<SendTarget, 'media'> & { n: number }>(`
  with wanted as (
    select * from json_to_recordset($1) as w (n integer, workspace_id uuid, conversation_id uuid, channel_id uuid,
      contact_id uuid, identifier text, wa_id text, variants text[], template_name text, template_language text,
      reply_to_id uuid)
  )
  select w.n, ch.id as channel_id, ch.type as channel_type,
    ch.disconnected_at is not null as is_disconnected, ch.marketing_route,
    c.id as contact_id, owner.contact_id as owner_contact_id, c.blocked,
    (c.consents ->> 'chatapp_marketing') = 'true' as marketing_opt_in,
    c.last_activity_at is null as is_unwritten,
    coalesce(owner.identifier, own.identifier) as identifier, coalesce(owner.wa_id, own.wa_id) as wa_id,
    coalesce(owner.user_id, own.user_id) as user_id,
    coalesce(named.id, cur.id) as conversation_id, coalesce(named.status, cur.status) as status,
    coalesce(named.controller, cur.controller) as controller,
    coalesce(named.workflow_run_id, cur.workflow_run_id) as workflow_run_id,
    coalesce(named.ai_agent_id, cur.ai_agent_id) as ai_agent_id,
    coalesce(named.held_by_platform, cur.held_by_platform) as held_by_platform,
    coalesce(named.window_expires_at, cur.window_expires_at) as window_expires_at,
    case when refused.id is null then coalesce(named.free_until, cur.free_until) else answer.free_until end as free_until,
    coalesce(named.entry_answerable_until, cur.entry_answerable_until) as entry_answerable_until,
    exists (select from allowances a where a.workspace_id = w.workspace_id) as has_allowances,
    t.category as template_category, t.components as template_components, t.parameter_format as template_parameter_format,
    r.id as reply_to_id, r.conversation_id as reply_conversation_id,
    exists (select from workflows f where f.workspace_id = w.workspace_id and f.trigger = 'no_reply'
      and f.waits_for = 'customer' and f.status = 'published') as is_followed_up,
    exists (select from workflows f where f.workspace_id = w.workspace_id and f.trigger = 'conversation_created'
      and f.status = 'published') as is_greeted
  from wanted w
  left join conversations named on named.workspace_id = w.workspace_id and named.id = w.conversation_id
    and named.contact_id is not null
  left join channels ch on ch.workspace_id = w.workspace_id and ch.id = coalesce(named.channel_id, w.channel_id,
    case when w.conversation_id is null then (
      -- In the order of the key, so that no plan reads the channels of all workspaces.
      select case when count(*) = 1 then min(o.id::text)::uuid end from (
        select o.id from channels o where o.workspace_id = w.workspace_id and o.disconnected_at is null order by o.id limit 2
      ) o
    ) end)
  left join lateral (
    select i.contact_id, i.identifier, i.wa_id, i.user_id from contact_identities i
    where i.workspace_id = w.workspace_id and i.channel_type = ch.type and i.wa_id = w.wa_id
    union all
    select i.contact_id, i.identifier, i.wa_id, i.user_id from contact_identities i
    where i.workspace_id = w.workspace_id and i.channel_type = ch.type and i.identifier = w.identifier
    union all
    select i.contact_id, i.identifier, i.wa_id, i.user_id from contact_identities i
    where i.workspace_id = w.workspace_id and i.channel_type = ch.type and i.identifier = any(w.variants)
    limit 1
  ) owner on true
  left join contacts c on c.workspace_id = w.workspace_id
    and c.id = coalesce(named.contact_id, w.contact_id, owner.contact_id)
  left join lateral (
    select o.id, o.identifier, o.status, o.controller, o.workflow_run_id, o.ai_agent_id, o.held_by_platform,
      o.window_expires_at, o.free_until, o.entry_answerable_until
    from conversations o
    where o.workspace_id = w.workspace_id and o.contact_id = c.id and o.channel_id = ch.id
    order by o.last_message_at desc, o.id desc limit 1
  ) cur on named.id is null
  -- An answer that failed opens no free time: the first one of that day that did not fail opens it. The moment finds the answer
  -- by its index. It is asked only once no answer can begin the time, and while one could have begun a time that lasts.
  left join lateral (
    select o.id, least(coalesce(named.entry_answerable_until, cur.entry_answerable_until), o.created_at + interval '24 hours') as until
    from messages o
    where o.workspace_id = w.workspace_id and o.conversation_id = coalesce(named.id, cur.id) and o.status = 'failed'
      and o.direction = 'outbound' and o.kind <> 'note'
      and o.created_at = coalesce(named.free_until, cur.free_until) - interval '72 hours'
      and coalesce(named.entry_answerable_until, cur.entry_answerable_until) <= $2
      and coalesce(named.entry_answerable_until, cur.entry_answerable_until) > $2 - interval '72 hours'
    limit 1
  ) refused on true
  -- A message has its id right after its moment: the bound of ids keeps the later history unread.
  left join lateral (
    select min(a.created_at) + interval '72 hours' as free_until from messages a
    where a.workspace_id = w.workspace_id and a.conversation_id = coalesce(named.id, cur.id) and a.status <> 'failed'
      and a.direction = 'outbound' and a.kind <> 'note' and a.created_at < refused.until and a.id >= refused.id
      and a.id < ${lowestIdIn("refused.until + interval '1 minute'")}
  ) answer on refused.id is not null
  left join lateral (
    select i.identifier, i.wa_id, i.user_id from contact_identities i
    where i.workspace_id = w.workspace_id and i.contact_id = c.id and i.channel_type = ch.type
    order by i.identifier = coalesce(named.identifier, cur.identifier) desc nulls last, i.created_at, i.identifier limit 1
  ) own on w.identifier is null
  left join templates t on t.workspace_id = w.workspace_id and t.waba_id = ch.waba_id and t.name = w.template_name
    and t.language = w.template_language and t.status = 'approved'
  left join messages r on r.workspace_id = w.workspace_id and r.id = w.reply_to_id and r.kind <> 'note'`);

/** Finds in one round trip all rows that decide about these sends. Returns one target for each, in order. */
export async function findTargets(tx: Transaction, clock: Clock, names: readonly TargetNames[]): Promise<SendTarget[]> {
  const wanted = names.map((name, n) => ({ ...name, variants: otherSpellings(name.wa_id), n }));
  const [rows, media] = await Promise.all([
    selectTargets(tx, [JSON.stringify(wanted), clock.now()]),
    findMedia(tx, names),
  ]);
  const byIndex = new Map(rows.map(({ n, ...target }) => [n, target]));
  return names.map(({ workspace_id, media_id }, n) => ({
    ...byIndex.get(n)!,
    media: media.get(`${workspace_id} ${media_id}`) ?? null,
  }));
}

/** The files of the sends, by workspace and id. */
async function findMedia(tx: Transaction, names: readonly TargetNames[]): Promise<Map<string, MediaRow>> {
  const keys = names.flatMap(({ workspace_id, media_id: id }) => (id === undefined ? [] : [{ workspace_id, id }]));
  const rows = keys.length > 0 ? await lockForUse(tx, keys) : [];
  return new Map(rows.map((row) => [`${row.workspace_id} ${row.id}`, row]));
}

/** The other spellings of a number; numbers of Brazil, Mexico and Argentina have two. */
export function otherSpellings(wa_id: string | undefined): string[] {
  return wa_id === undefined ? [] : waIdVariants(wa_id).slice(1);
}
