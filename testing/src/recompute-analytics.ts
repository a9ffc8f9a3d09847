import { parseId, publicId } from '../../server/src/database/ids.ts';
import type { TestService, TestWorkspace } from './start-test-service.ts';

// Computes the analytics by plain loops over the stored rows. It shares no code with the service.

interface StoredConversation {
  id: string;
  status: string;
  channel_id: string;
  team_id: string | null;
  assignee_id: string | null;
  stage_id: string | null;
  created_at: Date;
}

interface StoredClosing extends Omit<StoredConversation, 'id' | 'status' | 'created_at'> {
  conversation_id: string;
  opened_at: Date;
  closed_at: Date;
}

interface Written {
  id: string;
  conversation_id: string;
  direction: string;
  kind: string;
  status: string | null;
  template: string | null;
  created_at: Date;
}

export interface Stored {
  conversations: StoredConversation[];
  closings: StoredClosing[];
  /** In the order of the list of messages, without notes. */
  messages: Written[];
  stages: { id: string }[];
}

export async function readStored(majlis: TestService, workspace: TestWorkspace): Promise<Stored> {
  const id = [parseId('workspace', workspace.id)];
  return {
    conversations: await majlis.sql('select * from conversations where workspace_id = $1', id),
    closings: await majlis.sql(
      `select e.*, c.channel_id from conversation_closings e join conversations c on c.id = e.conversation_id
       where e.workspace_id = $1`,
      id,
    ),
    messages: await majlis.sql(
      `select id, conversation_id, direction, kind, status, content ->> 'name' as template, created_at from messages
       where workspace_id = $1 and kind <> 'note' order by id`,
      id,
    ),
    stages: await majlis.sql('select id from stages where workspace_id = $1', id),
  };
}

export function overviewOf({ conversations, messages, stages }: Stored) {
  const last = new Map(messages.map((message) => [message.conversation_id, message.direction]));
  const open = conversations.filter(({ status }) => status === 'open');
  return {
    open: open.length,
    unreplied: open.filter(({ id }) => last.get(id) === 'inbound').length,
    unassigned: open.filter(({ assignee_id }) => assignee_id === null).length,
    closed: conversations.length - open.length,
    stages: Object.fromEntries(
      stages.map(({ id }) => [publicId('stage', id), conversations.filter(({ stage_id }) => stage_id === id).length]),
    ),
  };
}

export interface AnalyticsQuestion {
  from: string;
  to: string;
  /** The date of the period of a moment, in the time zone. */
  labelOf: (moment: Date) => string;
  dateOf: (moment: Date) => string;
  group_by?: 'channel' | 'team' | 'user' | 'stage';
}

const columns = { channel: 'channel_id', team: 'team_id', user: 'assignee_id', stage: 'stage_id' } as const;

/** The rows with activity, by period and group. */
export function conversationRowsOf({ conversations, closings, messages }: Stored, question: AnalyticsQuestion) {
  const { from, to, labelOf, dateOf, group_by } = question;
  const isAsked = (moment: Date) => dateOf(moment) >= from && dateOf(moment) <= to;
  const rows = new Map<string, { new: number; closed: number; responses: number[]; resolutions: number[] }>();
  const rowOf = (moment: Date, at: Omit<StoredConversation, 'id' | 'status' | 'created_at'>) => {
    const group = group_by && at[columns[group_by]];
    const key = `${labelOf(moment)} ${group ? publicId(group_by, group) : ''}`;
    const row = rows.get(key) ?? { new: 0, closed: 0, responses: [], resolutions: [] };
    rows.set(key, row);
    return row;
  };
  for (const conversation of conversations) {
    if (!isAsked(conversation.created_at)) continue;
    const row = rowOf(conversation.created_at, conversation);
    row.new++;
    const own = messages.filter(({ conversation_id }) => conversation_id === conversation.id);
    const asked = own.find(({ direction }) => direction === 'inbound');
    const answered = asked && own.find(({ direction, id }) => direction === 'outbound' && id > asked.id);
    if (answered) row.responses.push(answered.created_at.getTime() - asked.created_at.getTime());
  }
  for (const closing of closings) {
    if (!isAsked(closing.closed_at)) continue;
    const row = rowOf(closing.closed_at, closing);
    row.closed++;
    row.resolutions.push(closing.closed_at.getTime() - closing.opened_at.getTime());
  }
  return new Map(
    [...rows].map(([key, { responses, resolutions, ...row }]) => [
      key,
      {
        ...row,
        ...(responses.length > 0 && { first_response_p50_seconds: medianOf(responses) / 1000 }),
        ...(resolutions.length > 0 && { resolution_p50_seconds: medianOf(resolutions) / 1000 }),
      },
    ]),
  );
}

export function messageFiguresOf({ messages }: Stored, isAsked: (message: Written) => boolean) {
  const asked = messages.filter((message) => message.direction === 'outbound' && isAsked(message));
  const in_ = (...statuses: string[]) => asked.filter(({ status }) => statuses.includes(status!));
  const isReplied = ({ id, conversation_id }: Written) =>
    messages.some((m) => m.conversation_id === conversation_id && m.direction === 'inbound' && m.id > id);
  return {
    sent: in_('sent', 'delivered', 'read').length,
    delivered: in_('delivered', 'read').length,
    read: in_('read').length,
    replied: in_('sent', 'delivered', 'read').filter(isReplied).length,
    failed: in_('failed').length,
  };
}

function medianOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
