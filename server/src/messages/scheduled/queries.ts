import type { ScheduledState } from '@majlis/console-api';
import type { ConversationMessageSend } from '@majlis/contract';
import type { Connection } from '../../database/pool.ts';
import { build, run, statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { ScheduledRef } from '../jobs.ts';

export interface ScheduledRow {
  workspace_id: string;
  id: string;
  conversation_id: string;
  user_id: string;
  content: ConversationMessageSend;
  preview: string | null;
  media_id: string | null;
  send_at: Date;
  state: ScheduledState;
  version: number;
  message_id: string | null;
  failure_code: string | null;
  failure_detail: string | null;
  created_at: Date;
  changed_at: Date;
}

/** A scheduled message with its file and its author, as it is shown. */
export interface ShownScheduled extends ScheduledRow {
  user_name: string | null;
  mime: string | null;
  filename: string | null;
}

const columns = `s.workspace_id, s.id, s.conversation_id, s.user_id, s.content, s.preview, s.media_id, s.send_at, s.state, s.version,
  s.message_id, s.failure_code, s.failure_detail, s.created_at, s.changed_at`;
const shown = `select ${columns}, u.name as user_name, m.mime, m.filename from scheduled_messages s
  join users u on u.workspace_id = s.workspace_id and u.id = s.user_id
  left join media m on m.workspace_id = s.workspace_id and m.id = s.media_id`;

const selectWaiting = statement<ShownScheduled>(`
  ${shown} where s.workspace_id = $1 and s.conversation_id = $2 and s.state in ('scheduled', 'failed')
  order by s.send_at, s.id limit $3`);

/** Those of a conversation that wait for their time or were refused at it, the next first. */
export function listWaiting(
  connection: Connection,
  { workspace_id, conversation_id }: Pick<ScheduledRow, 'workspace_id' | 'conversation_id'>,
  count: number,
): Promise<ShownScheduled[]> {
  return selectWaiting(connection, [workspace_id, conversation_id, count]);
}

const selectOne = statement<ShownScheduled>(`${shown} where s.workspace_id = $1 and s.id = $2`);

export async function findScheduled(
  connection: Connection,
  { workspace_id, id }: ScheduledRef,
): Promise<ShownScheduled | undefined> {
  return (await selectOne(connection, [workspace_id, id]))[0];
}

const lockOne = statement<ScheduledRow>(`
  select ${columns} from scheduled_messages s where s.workspace_id = $1 and s.id = $2 for update`);

/** The conversation is locked before. */
export async function lockScheduled(
  tx: Transaction,
  { workspace_id, id }: ScheduledRef,
): Promise<ScheduledRow | undefined> {
  return (await lockOne(tx, [workspace_id, id]))[0];
}

interface DueRange {
  workspace_id: string;
  conversation_id: string;
  until: Date;
}

const due = `select ${columns} from scheduled_messages s
  where s.workspace_id = $1 and s.conversation_id = $2 and s.state = 'scheduled' and s.send_at <= $3
  order by s.send_at, s.id`;
const selectDue = statement<ScheduledRow>(due);
const selectDueLocked = statement<ScheduledRow>(`${due} for update`);

/** Those of a conversation whose time has come, in their order. */
export function listDue(
  connection: Connection,
  { workspace_id, conversation_id, until }: DueRange,
): Promise<ScheduledRow[]> {
  return selectDue(connection, [workspace_id, conversation_id, until]);
}

/** The same. The conversation is locked before. */
export function lockDue(tx: Transaction, { workspace_id, conversation_id, until }: DueRange): Promise<ScheduledRow[]> {
  return selectDueLocked(tx, [workspace_id, conversation_id, until]);
}

export async function insertScheduled(tx: Transaction, row: ScheduledRow): Promise<void> {
  const values = { ...row, content: JSON.stringify(row.content) };
  await run(tx, build.insertInto('scheduled_messages').values(values));
}

/** Replaces a locked row. */
export async function updateScheduled(tx: Transaction, row: ScheduledRow): Promise<void> {
  const { workspace_id, id, ...rest } = row;
  const query = build
    .updateTable('scheduled_messages')
    .set({ ...rest, content: JSON.stringify(rest.content) })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id);
  await run(tx, query);
}
