import type { LiveChange, LiveEnd, LiveEvent, LiveKind, LiveRemoval, LiveReset, LiveRow } from '@majlis/console-api';
import { publicId } from '../database/ids.ts';
import type { FedChange } from './feed.ts';
import type { Telling } from './rights.ts';
import type { OwnRow, ToldRow } from './told-rows.ts';

const objects = {
  message: ['message_id', 'message'],
  status: ['message_id', 'message'],
  note: ['message_id', 'message'],
  mention: ['message_id', 'message'],
  contact: ['contact_id', 'contact'],
  contact_import: ['import_id', 'contact_import'],
  broadcast: ['broadcast_id', 'broadcast'],
  channel: ['channel_id', 'channel'],
  template: ['template_id', 'template'],
  rights: ['user_id', 'user'],
  member: ['user_id', 'user'],
  presence: ['user_id', 'user'],
  typing: ['user_id', 'user'],
  saved_view: ['view_id', 'saved_view'],
  canned_reply: ['canned_reply_id', 'canned_reply'],
  scheduled_message: ['scheduled_message_id', 'scheduled_message'],
  proposal: ['proposal_id', 'proposal'],
} as const;

export function presentChange(
  change: FedChange,
  telling: NonNullable<Telling>,
  isInRow: boolean,
): LiveChange | LiveRemoval {
  const { kind, workspace_id, conversation_id, object_id, details } = change;
  const workspace = publicId('workspace', workspace_id);
  if (telling === 'removed') {
    return { kind: 'removed', workspace_id: workspace, conversation_id: publicId('conversation', conversation_id!) };
  }
  const [member, of] = objects[kind as keyof typeof objects] ?? [];
  return {
    kind: kind === 'rights' ? 'member' : (kind as LiveKind),
    workspace_id: workspace,
    ...(conversation_id && { conversation_id: publicId('conversation', conversation_id) }),
    ...(object_id && member && { [member]: publicId(of, object_id) }),
    ...details,
    ...(isInRow && { in_row: true }),
  };
}

/**
 * The events of one row for many people, who share its text. They have no id: a client that has lost the change behind a row gets
 * both again.
 */
export function rowFrames(workspace_id: string, { is_snoozed, shared }: ToldRow): (own: OwnRow) => string {
  const event: Omit<LiveRow, 'row'> = {
    kind: 'row',
    workspace_id: publicId('workspace', workspace_id),
    conversation_id: shared.conversation.id,
    is_snoozed,
  };
  const begin = `data: ${JSON.stringify(event).slice(0, -1)},"row":${JSON.stringify(shared).slice(0, -1)},`;
  return (own) => `${begin}${JSON.stringify(own).slice(1)}}\n\n`;
}

/** An event of the stream. A client resumes after its id; an end has none, because nothing follows it. */
export function frame(event: LiveEvent, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(event)}\n\n`;
}

export const resetBy = (reason: LiveReset['reason']): LiveReset => ({ kind: 'reset', reason });
export const endBy = (reason: LiveEnd['reason']): LiveEnd => ({ kind: 'ended', reason });
