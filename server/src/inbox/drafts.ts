import { type Draft, type DraftKind, type DraftSend, draftKinds } from '@majlis/console-api';
import { sql } from 'kysely';
import { isVisibleTo } from '../conversations/is-visible-to.ts';
import { requireConversation, type Viewer } from '../conversations/require-conversation.ts';
import { newId, parseId, publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { publishLive } from '../live/publish-live.ts';
import type { Clock } from '../process/clock.ts';
import { lockGroup } from './sharing.ts';

/** The most drafts of a person in a workspace. */
const mostDrafts = 500;

export interface DraftRow {
  conversation_id: string;
  kind: string;
  body: string;
  version: string;
  updated_at: Date;
  /** As `DraftSend`, or null. */
  send: unknown;
}

const columns = ['d.conversation_id', 'd.kind', 'd.body', 'd.version', 'd.updated_at', 'd.send'] as const;

/** The latest first. Drafts in conversations that the person may no longer see are left out. */
export function listDrafts(
  connection: Connection,
  { workspace_id, user_id, own_teams_only }: Viewer,
  { after, count }: { after: { updated_at: string; version: string } | undefined; count: number },
): Promise<DraftRow[]> {
  let query = build
    .selectFrom('drafts as d')
    .innerJoin('conversations as c', (on) =>
      on.onRef('c.workspace_id', '=', 'd.workspace_id').onRef('c.id', '=', 'd.conversation_id'),
    )
    .select(columns)
    .where('d.workspace_id', '=', workspace_id)
    .where('d.user_id', '=', user_id)
    .orderBy('d.updated_at', 'desc')
    .orderBy('d.version', 'desc')
    .limit(count);
  if (own_teams_only) query = query.where(isVisibleTo(user_id));
  if (after) {
    query = query.where(
      sql<boolean>`(d.updated_at, d.version) < (${after.updated_at}::timestamptz, ${after.version}::uuid)`,
    );
  }
  return run(connection, query);
}

/** The drafts of the person in one conversation. */
export async function listConversationDrafts(
  connection: Connection,
  viewer: Viewer,
  conversation_id: string,
): Promise<Draft[]> {
  const id = await requireConversation(connection, viewer, conversation_id);
  const query = draftsIn(viewer, id).orderBy('kind');
  return (await run(connection, query)).map(presentDraft);
}

function draftsIn({ workspace_id, user_id }: Viewer, conversation_id: string) {
  return build
    .selectFrom('drafts as d')
    .select(columns)
    .where('d.workspace_id', '=', workspace_id)
    .where('d.user_id', '=', user_id)
    .where('d.conversation_id', '=', conversation_id);
}

async function lockDraft(tx: Transaction, viewer: Viewer, id: string, kind: DraftKind): Promise<DraftRow | undefined> {
  return (await run(tx, draftsIn(viewer, id).where('d.kind', '=', kind).forUpdate()))[0];
}

const countDrafts = statement<{ drafts: number }>(`
  select count(*)::integer as drafts from drafts where workspace_id = $1 and user_id = $2`);

/** As a path names a draft. */
interface DraftTarget {
  conversation_id: string;
  kind: string;
}

async function requireTarget(tx: Transaction, viewer: Viewer, { conversation_id, kind }: DraftTarget) {
  const id = await requireConversation(tx, viewer, conversation_id);
  const known = draftKinds.find((one) => one === kind);
  if (!known) throw new Refusal('not_found', { detail: `A draft is one of ${draftKinds.join(', ')}.` });
  return { conversation_id: id, kind: known };
}

/**
 * Saves a draft that began with this version. A draft that another tab changed meanwhile stays. A save whose answer was lost
 * may be repeated.
 */
export async function saveDraft(
  tx: Transaction,
  clock: Clock,
  viewer: Viewer,
  target: DraftTarget,
  { body, version, send = null }: { body: string; version?: string; send?: DraftSend | null },
): Promise<Draft> {
  const { workspace_id, user_id } = viewer;
  const { conversation_id, kind } = await requireTarget(tx, viewer, target);
  if (body.trim() === '') throw invalid({ detail: 'must not be empty: delete the draft instead', pointer: '/body' });
  const stored = await lockDraft(tx, viewer, conversation_id, kind);
  if (stored?.body === body && sendOf(stored)?.key === send?.key) return presentDraft(stored);
  refuseOutdated(stored, version);
  const saved = { conversation_id, kind, body, version: newId(clock), updated_at: clock.now(), send };
  if (stored) {
    await run(
      tx,
      build
        .updateTable('drafts')
        .set({ body, version: saved.version, updated_at: saved.updated_at, send: send && JSON.stringify(send) })
        .where('workspace_id', '=', workspace_id)
        .where('user_id', '=', user_id)
        .where('conversation_id', '=', conversation_id)
        .where('kind', '=', kind),
    );
  } else {
    await lockGroup(tx, viewer, false);
    const [counted] = await countDrafts(tx, [workspace_id, user_id]);
    if (counted!.drafts >= mostDrafts) {
      throw new Refusal('limit_reached', { detail: `You have ${mostDrafts} drafts: send or delete one first.` });
    }
    await run(
      tx,
      build.insertInto('drafts').values({ workspace_id, user_id, ...saved, send: send && JSON.stringify(send) }),
    );
  }
  await publish(tx, viewer, saved);
  return presentDraft(saved);
}

/** Tells the other tabs of the person, without the text. */
async function publish(
  tx: Transaction,
  { workspace_id, user_id }: Viewer,
  { conversation_id, kind, version }: { conversation_id: string; kind: DraftKind; version?: string },
): Promise<void> {
  const own = { workspace_id, for_user_id: user_id, conversation_id } as const;
  const details = version === undefined ? {} : { version: publicId('draft', version) };
  await publishLive(tx, [{ ...own, kind: `${kind}_draft`, details }]);
}

/** Deletes a draft, if it is still of this version. */
export async function deleteDraft(
  tx: Transaction,
  viewer: Viewer,
  target: DraftTarget,
  version: string | undefined,
): Promise<void> {
  const { conversation_id, kind } = await requireTarget(tx, viewer, target);
  const stored = await lockDraft(tx, viewer, conversation_id, kind);
  if (!stored) return;
  if (version !== undefined) refuseOutdated(stored, version);
  await run(
    tx,
    build
      .deleteFrom('drafts')
      .where('workspace_id', '=', viewer.workspace_id)
      .where('user_id', '=', viewer.user_id)
      .where('conversation_id', '=', conversation_id)
      .where('kind', '=', kind),
  );
  await publish(tx, viewer, { conversation_id, kind });
}

function sendOf({ send }: DraftRow): DraftSend | undefined {
  return (send as DraftSend | null) ?? undefined;
}

const deleteByKeys = statement<{ conversation_id: string; kind: DraftKind; user_id: string }>(`
  delete from drafts d using unnest($2::uuid[], $3::uuid[], $4::text[]) as sent (user_id, conversation_id, key)
  where d.workspace_id = $1 and d.user_id = sent.user_id and d.conversation_id = sent.conversation_id
    and d.send ->> 'key' = sent.key
  returning d.conversation_id, d.kind, d.user_id`);

/** A send that was accepted: its person, and the key by which it was begun. */
export interface AcceptedSend {
  user_id: string;
  conversation_id: string;
  key: string;
}

/** Deletes the drafts of sends with their acceptance. What is still there was not accepted. */
export async function deleteSentDrafts(
  tx: Connection,
  workspace_id: string,
  sends: readonly AcceptedSend[],
): Promise<void> {
  const column = (name: keyof AcceptedSend) => sends.map((send) => send[name]);
  const deleted = await deleteByKeys(tx, [workspace_id, column('user_id'), column('conversation_id'), column('key')]);
  const events = deleted.map(({ kind, user_id, conversation_id }) => {
    return { workspace_id, for_user_id: user_id, conversation_id, kind: `${kind}_draft`, details: {} } as const;
  });
  if (events.length > 0) await publishLive(tx, events);
}

function refuseOutdated(stored: DraftRow | undefined, version: string | undefined): void {
  const known = version === undefined ? undefined : (parseId('draft', version) ?? null);
  if (stored?.version === known) return;
  const detail = stored
    ? 'Read the draft, then save it with its version.'
    : 'The draft was sent or deleted. Save it without a version to keep it.';
  throw new Refusal('draft_outdated', { detail });
}

export function presentDraft(row: DraftRow): Draft {
  const { conversation_id, kind, body, version, updated_at } = row;
  const send = sendOf(row);
  return {
    conversation_id: publicId('conversation', conversation_id),
    kind: kind as DraftKind,
    body,
    version: publicId('draft', version),
    updated_at: updated_at.toISOString(),
    ...(send && { send }),
  };
}
