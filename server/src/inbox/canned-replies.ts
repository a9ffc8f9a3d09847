import type { CannedReply } from '@majlis/console-api';
import { sql } from 'kysely';
import { foldText } from '../database/fold-text.ts';
import { newId, parseId, publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { build, run, runFirst, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { digestOf } from '../http/digest-of.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import type { Clock } from '../process/clock.ts';
import type { Quotas } from '../process/quotas.ts';
import { withinQuota } from '../workspaces/within-quota.ts';
import { findCannedReplyFaults, readShortName } from './canned-reply-rules.ts';
import { type Editor, isUsableBy, lockGroup, publishChanges, refuseSharing } from './sharing.ts';

/** A text message has no more. */
const mostCharacters = 4_096;

export interface CannedReplyRow {
  id: string;
  user_id: string | null;
  name: string;
  name_key: string;
  body: string;
  language: string | null;
}

export interface CannedReplyFilter {
  prefix?: string | undefined;
  language?: string | undefined;
}

/** The shared ones and the person's own, by name. The prefix is found in any case and Arabic spelling. */
export function listCannedReplies(
  connection: Connection,
  editor: Editor,
  { prefix, language }: CannedReplyFilter,
  { after, count }: { after: { name_key: string; id: string } | undefined; count: number },
): Promise<CannedReplyRow[]> {
  let query = selectReplies(editor).orderBy('name_key').orderBy('id').limit(count);
  if (prefix) query = query.where(sql<boolean>`starts_with(name_key, ${foldText(readShortName(prefix))})`);
  if (language) query = query.where((is) => is.or([is('language', 'is', null), is('language', '=', language)]));
  if (after) query = query.where(sql<boolean>`(name_key, id) > (${after.name_key}, ${after.id}::uuid)`);
  return run(connection, query);
}

function selectReplies(editor: Editor) {
  return build
    .selectFrom('canned_replies')
    .select(['id', 'user_id', 'name', 'name_key', 'body', 'language'])
    .where('workspace_id', '=', editor.workspace_id)
    .where(isUsableBy(editor));
}

export interface NewCannedReply {
  name: string;
  body: string;
  language?: string | undefined;
  shared?: boolean;
}

export async function createCannedReply(
  tx: Transaction,
  clock: Clock,
  editor: Editor,
  { shared = false, language, ...texts }: NewCannedReply,
  quotas: Quotas,
): Promise<CannedReply> {
  refuseSharing(editor, shared);
  const fields = readFields({ ...texts, language: language ?? null });
  const { workspace_id } = editor;
  const reply = { id: newId(clock), user_id: shared ? null : editor.user_id, ...fields };
  await lockGroup(tx, editor, shared);
  await refuseSameName(tx, workspace_id, reply);
  const holder = { workspace_id, user_id: reply.user_id, kind: 'canned_replies' } as const;
  await withinQuota(tx, quotas, holder, () =>
    run(tx, build.insertInto('canned_replies').values({ workspace_id, ...reply })),
  );
  await publishChanges(tx, editor.workspace_id, 'canned_reply', [reply]);
  return presentCannedReply(reply);
}

export interface CannedReplyChange {
  version?: string;
  name?: string;
  body?: string;
  language?: string | null;
}

/** Members that are not sent stay. Where somebody changed the reply since `version`, nothing changes. */
export async function changeCannedReply(
  tx: Transaction,
  editor: Editor,
  public_id: string,
  { version, ...change }: CannedReplyChange,
  quotas: Quotas,
): Promise<CannedReply> {
  const { user_id } = await requireReply(tx, editor, public_id);
  await lockGroup(tx, editor, user_id === null);
  // As it is behind the lock.
  const found = await requireReply(tx, editor, public_id);
  if (version !== undefined && version !== versionOf(found)) throw new Refusal('changed_meanwhile');
  const fields = readFields({ ...found, ...change });
  const reply = { ...found, ...fields };
  const { workspace_id } = editor;
  await refuseSameName(tx, workspace_id, reply);
  const query = build.updateTable('canned_replies').set(fields).where('workspace_id', '=', workspace_id);
  const holder = { workspace_id, user_id: reply.user_id, kind: 'canned_replies' } as const;
  await withinQuota(tx, quotas, holder, () => run(tx, query.where('id', '=', reply.id)));
  await publishChanges(tx, editor.workspace_id, 'canned_reply', [reply]);
  return presentCannedReply(reply);
}

export async function deleteCannedReply(tx: Transaction, editor: Editor, public_id: string): Promise<CannedReply> {
  const reply = await requireReply(tx, editor, public_id);
  const query = build.deleteFrom('canned_replies').where('workspace_id', '=', editor.workspace_id);
  await run(tx, query.where('id', '=', reply.id));
  await publishChanges(tx, editor.workspace_id, 'canned_reply', [reply]);
  return presentCannedReply(reply);
}

/** The replies that everybody has. */
export function listSharedReplies(connection: Connection, workspace_id: string): Promise<CannedReplyRow[]> {
  const query = build
    .selectFrom('canned_replies')
    .select(['id', 'user_id', 'name', 'name_key', 'body', 'language'])
    .where('workspace_id', '=', workspace_id)
    .where('user_id', 'is', null);
  return run(connection, query);
}

/** Makes a reply that everybody has, on the operator's word. */
export async function seedSharedReply(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  { language, ...texts }: Omit<NewCannedReply, 'shared'>,
): Promise<void> {
  const reply = { id: newId(clock), user_id: null, ...readFields({ ...texts, language: language ?? null }) };
  await refuseSameName(tx, workspace_id, reply);
  await run(tx, build.insertInto('canned_replies').values({ workspace_id, ...reply }));
  await publishChanges(tx, workspace_id, 'canned_reply', [reply]);
}

function readFields({ name, body, language }: { name: string; body: string; language: string | null }) {
  const fields = { name: readShortName(name), body, language };
  const faults = findCannedReplyFaults(fields, mostCharacters);
  if (faults.length > 0) throw invalid(faults);
  return { ...fields, name_key: foldText(fields.name) };
}

/** Whoever types a name finds one text of their own and one of the workspace in each language. */
async function refuseSameName(tx: Transaction, workspace_id: string, reply: CannedReplyRow): Promise<void> {
  const { id, user_id, name_key, language } = reply;
  const [other] = await selectSame(tx, [workspace_id, user_id, name_key, language, id]);
  if (other) throw invalid({ detail: `is too much like /${other.name} of the same language`, pointer: '/name' });
}

const selectSame = statement<{ name: string }>(`
  select name from canned_replies
  where workspace_id = $1 and user_id is not distinct from $2 and name_key = $3 and language is not distinct from $4
    and id <> $5`);

/** A canned reply that the person may change: 404 for one of another person. */
async function requireReply(tx: Transaction, editor: Editor, public_id: string): Promise<CannedReplyRow> {
  const reply = await findReply(tx, editor, public_id);
  refuseSharing(editor, reply.user_id === null);
  return reply;
}

/** A canned reply that the person has: 404 for one of another person. */
export async function findReply(connection: Connection, editor: Editor, public_id: string): Promise<CannedReplyRow> {
  const id = parseId('canned_reply', public_id);
  const reply = id && (await runFirst(connection, selectReplies(editor).where('id', '=', id)));
  if (!reply) throw new Refusal('not_found');
  return reply;
}

const versionOf = ({ id, name, body, language }: CannedReplyRow): string => digestOf([id, name, body, language]);

export function presentCannedReply(row: CannedReplyRow): CannedReply {
  const { id, user_id, name, body, language } = row;
  return {
    id: publicId('canned_reply', id),
    name,
    body,
    ...(language !== null && { language }),
    shared: user_id === null,
    version: versionOf(row),
  };
}
