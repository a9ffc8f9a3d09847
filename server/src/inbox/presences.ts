import { type DraftKind, mostPresenceSeconds, type Presence } from '@majlis/console-api';
import { isVisibleTo } from '../conversations/is-visible-to.ts';
import { requireConversation, type Viewer } from '../conversations/require-conversation.ts';
import { parseId, publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { publishLive } from '../live/publish-live.ts';
import type { Clock } from '../process/clock.ts';

interface PresenceRow {
  conversation_id: string;
  user_id: string;
  typing: string | null;
  expires_at: Date;
}

/** Who views conversations that the person may see: all of them, or one. */
export async function listPresences(
  connection: Connection,
  clock: Clock,
  viewer: Viewer,
  conversation_id?: string,
): Promise<Presence[]> {
  const { workspace_id, user_id, own_teams_only } = viewer;
  let query = build
    .selectFrom('presences as p')
    .select(['p.conversation_id', 'p.user_id', 'p.typing', 'p.expires_at'])
    .where('p.workspace_id', '=', workspace_id)
    .where('p.expires_at', '>', clock.now())
    .orderBy('p.conversation_id')
    .orderBy('p.user_id');
  if (conversation_id !== undefined) {
    const id = await requireConversation(connection, viewer, conversation_id);
    query = query.where('p.conversation_id', '=', id);
  } else if (own_teams_only) {
    query = query
      .innerJoin('conversations as c', (on) =>
        on.onRef('c.workspace_id', '=', 'p.workspace_id').onRef('c.id', '=', 'p.conversation_id'),
      )
      .where(isVisibleTo(user_id));
  }
  return (await run(connection, query)).map(presentPresence);
}

// A row whose browser crashed goes with the next presence of the person, so each person leaves a few at most.
const deleteExpired = statement(`
  delete from presences where workspace_id = $1 and user_id = $2 and expires_at <= $3 and conversation_id <> $4`);

const upsert = statement(`
  insert into presences (workspace_id, user_id, conversation_id, typing, expires_at) values ($1, $2, $3, $4, $5)
  on conflict (workspace_id, user_id, conversation_id) do update
    set typing = excluded.typing, expires_at = excluded.expires_at`);

interface OwnPresence {
  typing?: DraftKind;
  expires_in_seconds?: number;
  left_conversation_id?: string;
}

/** Says that the person views the conversation, or types in it, for so long. */
export async function setPresence(
  tx: Transaction,
  clock: Clock,
  viewer: Viewer,
  conversation_id: string,
  { typing, expires_in_seconds = mostPresenceSeconds, left_conversation_id }: OwnPresence,
): Promise<Presence> {
  const { workspace_id, user_id } = viewer;
  const id = await requireConversation(tx, viewer, conversation_id);
  const expires_at = new Date(clock.nowMs() + expires_in_seconds * 1000);
  await deleteExpired(tx, [workspace_id, user_id, clock.now(), id]);
  await upsert(tx, [workspace_id, user_id, id, typing ?? null, expires_at]);
  const presence = presentPresence({ conversation_id: id, user_id, typing: typing ?? null, expires_at });
  await publish(tx, viewer, id, { ...(typing && { typing }), expires_at: presence.expires_at });
  const left = left_conversation_id && parseId('conversation', left_conversation_id);
  if (left && left !== id) await leave(tx, viewer, left);
  return presence;
}

/** Tells whoever may see the conversation. Nothing is told when a presence expires: each client sees that by its time. */
async function publish(
  tx: Transaction,
  { workspace_id, user_id }: Viewer,
  conversation_id: string,
  details: { typing?: DraftKind; expires_at?: string },
): Promise<void> {
  const kind = details.typing ? 'typing' : 'presence';
  await publishLive(tx, [{ workspace_id, kind, conversation_id, object_id: user_id, details }]);
}

const deletePresence = statement<{ id: string }>(`
  delete from presences where workspace_id = $1 and user_id = $2 and conversation_id = $3
  returning conversation_id as id`);

export async function endPresence(tx: Transaction, viewer: Viewer, conversation_id: string): Promise<void> {
  await leave(tx, viewer, await requireConversation(tx, viewer, conversation_id));
}

/** Nobody is told of a presence that was none. */
async function leave(tx: Transaction, viewer: Viewer, id: string): Promise<void> {
  const [gone] = await deletePresence(tx, [viewer.workspace_id, viewer.user_id, id]);
  if (gone) await publish(tx, viewer, id, {});
}

function presentPresence({ conversation_id, user_id, typing, expires_at }: PresenceRow): Presence {
  return {
    conversation_id: publicId('conversation', conversation_id),
    user_id: publicId('user', user_id),
    ...(typing && { typing: typing as DraftKind }),
    expires_at: expires_at.toISOString(),
  };
}
