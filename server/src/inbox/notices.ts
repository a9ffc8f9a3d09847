import { mostNoticed, type Notice, type NotificationSettings } from '@majlis/console-api';
import { sql } from 'kysely';
import { isVisibleTo } from '../conversations/is-visible-to.ts';
import type { Viewer } from '../conversations/require-conversation.ts';
import { type IdKind, lowestIdAt, parseId, publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { run, statement } from '../database/query.ts';
import { allOf, type SqlCondition } from '../database/search-page.ts';
import { invalid } from '../http/reply/refusal.ts';
import { describedBy, presentUnreadable } from '../messages/unreadable-content.ts';
import type { Clock } from '../process/clock.ts';
import { readNotificationSettings } from './notification-settings.ts';

// A console that was away for longer tells by its list what came, not by a notification for each.
const latestMs = 15 * 60_000;

interface Named {
  message_ids?: string;
  handed_over?: string;
}

interface NoticeRow {
  kind: Notice['kind'];
  conversation_id: string;
  message_id: string | null;
  message_kind: string | null;
  body: string | null;
  described?: unknown;
  contact_name: string | null;
  contact_handle: string | null;
  author_name: string | null;
  created_at: Date;
}

/** What of this notifies the person now. Settings, quiet hours, rights and read marks are those of this moment. */
export async function listNotices(
  connection: Connection,
  clock: Clock,
  viewer: Viewer,
  { message_ids = '', handed_over = '' }: Named,
): Promise<{ data: Notice[]; sound: boolean; desktop: boolean }> {
  const messages = parseIds('message', message_ids, '/message_ids');
  const conversations = parseIds('conversation', handed_over, '/handed_over');
  const settings = await readNotificationSettings(connection, clock, viewer);
  const { sound, desktop, quiet_now } = settings;
  if (quiet_now) return { data: [], sound, desktop };
  const since = new Date(clock.nowMs() - latestMs);
  const rows = [
    ...(await listMessages(connection, viewer, settings, messages, since)),
    ...(settings.mentions ? await listMentions(connection, viewer, messages, since) : []),
    ...(await listHandOvers(connection, viewer, settings, conversations, since)),
  ];
  const inOrder = rows.sort((a, b) => a.created_at.getTime() - b.created_at.getTime());
  return { data: inOrder.map(presentNotice), sound, desktop };
}

function parseIds(kind: IdKind, text: string, pointer: string): string[] {
  const ids = text === '' ? [] : text.split(',');
  if (ids.length > mostNoticed) throw invalid({ detail: `has more than ${mostNoticed} ids`, pointer });
  return ids.flatMap((id) => parseId(kind, id) ?? []);
}

/** The conversations whose messages notify the person. Undefined: none. */
function wanted(viewer: Viewer, { conversations }: NotificationSettings): SqlCondition[] | undefined {
  const { workspace_id, user_id, own_teams_only } = viewer;
  const isMine = sql<boolean>`c.assignee_id = ${user_id}::uuid`;
  const byChoice = {
    all: [],
    mine_and_unassigned: [sql<boolean>`(${isMine} or c.assignee_id is null)`],
    mine: [isMine],
    none: undefined,
  }[conversations];
  return (
    byChoice && [
      sql<boolean>`c.workspace_id = ${workspace_id}`,
      sql<boolean>`c.contact_id is not null`,
      ...byChoice,
      ...(own_teams_only ? [isVisibleTo(user_id)] : []),
    ]
  );
}

const contact = sql`left join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id`;

async function listMessages(
  connection: Connection,
  viewer: Viewer,
  settings: NotificationSettings,
  ids: readonly string[],
  since: Date,
): Promise<NoticeRow[]> {
  const met = wanted(viewer, settings);
  if (!met || ids.length === 0) return [];
  const { workspace_id, user_id } = viewer;
  // A bot answers what it controls. People are told when it gives the conversation to them.
  return run(
    connection,
    sql<NoticeRow>`
      select 'message' as kind, m.conversation_id, m.id as message_id, m.kind as message_kind, left(m.body, 160) as body,
        k.name as contact_name, c.identifier as contact_handle, null::text as author_name, m.created_at,
        ${sql.raw(describedBy('m'))} as described
      from messages m
      join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
      ${contact}
      left join read_marks r on r.workspace_id = m.workspace_id and r.user_id = ${user_id}
        and r.conversation_id = m.conversation_id
      where m.workspace_id = ${workspace_id} and m.id = any(${ids}::uuid[]) and m.id > ${lowestIdAt(since)}
        and m.direction = 'inbound' and m.kind <> 'reaction' and c.controller = 'human'
        and (r.last_read_message_id is null or r.last_read_message_id < m.id) and ${allOf(met)}`,
  );
}

const visible = `($4::boolean is false or c.assignee_id = $2 or exists (select from team_members t
  where t.workspace_id = c.workspace_id and t.team_id = c.team_id and t.user_id = $2))`;
const selectMentions = statement<NoticeRow>(`
  select 'mention' as kind, m.conversation_id, m.id as message_id, m.kind as message_kind, left(m.body, 160) as body,
    k.name as contact_name, c.identifier as contact_handle, u.name as author_name, m.created_at
  from note_mentions n
  join messages m on m.workspace_id = n.workspace_id and m.id = n.message_id
  join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
  left join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
  left join users u on u.workspace_id = m.workspace_id and u.id = m.actor_id
  where n.workspace_id = $1 and n.user_id = $2 and n.message_id = any($3::uuid[]) and n.message_id > $5
    and c.contact_id is not null and m.actor_id is distinct from $2 and ${visible}`);

async function listMentions(connection: Connection, viewer: Viewer, ids: readonly string[], since: Date) {
  if (ids.length === 0) return [];
  const { workspace_id, user_id, own_teams_only } = viewer;
  return selectMentions(connection, [workspace_id, user_id, ids, own_teams_only, lowestIdAt(since)]);
}

async function listHandOvers(
  connection: Connection,
  viewer: Viewer,
  settings: NotificationSettings,
  ids: readonly string[],
  since: Date,
): Promise<NoticeRow[]> {
  const met = wanted(viewer, settings);
  if (!met || ids.length === 0) return [];
  return run(
    connection,
    sql<NoticeRow>`
      select 'handover' as kind, c.id as conversation_id, null::uuid as message_id, null::text as message_kind,
        null::text as body, k.name as contact_name, c.identifier as contact_handle, null::text as author_name,
        c.bot_handed_over_at as created_at
      from conversations c ${contact}
      where c.id = any(${ids}::uuid[]) and c.status = 'open' and c.controller = 'human' and c.bot_handed_over_at > ${since}
        and ${allOf(met)}`,
  );
}

function presentNotice(row: NoticeRow): Notice {
  const { kind, contact_name, contact_handle, author_name, message_kind, body } = row;
  return {
    kind,
    conversation_id: publicId('conversation', row.conversation_id),
    ...(row.message_id !== null && { message_id: publicId('message', row.message_id) }),
    ...(contact_name !== null && { contact_name }),
    ...(contact_handle !== null && { contact_handle }),
    ...(author_name !== null && { author_name }),
    ...(message_kind !== null && { message_kind }),
    ...(body !== null && { body }),
    ...presentUnreadable(row.described),
    created_at: row.created_at.toISOString(),
  };
}
