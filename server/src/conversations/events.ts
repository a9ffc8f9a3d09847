import { publicId } from '../database/ids.ts';
import type { NewEvent } from '../events/record-events.ts';

/** Who made the change. */
interface Actor {
  kind: string;
  id: string | null;
}

/** A recorded line of a conversation. */
export interface RecordedLine {
  workspace_id: string;
  conversation_id: string;
  kind: string;
  value_id?: string | null;
  controller?: string | null;
  reason_id?: string | null;
  summary?: string | null;
}

const idKinds = { user: 'user', api_key: 'user', workflow: 'workflow', ai_agent: 'ai_agent' } as const;

/** The events of lines of one change. A change of user and team is one event. */
export function eventsOfLines(lines: readonly RecordedLine[], actor: Actor): NewEvent[] {
  const assigned = new Map<string, NewEvent & { data: Record<string, unknown> }>();
  const events: NewEvent[] = [];
  for (const line of lines) {
    const { workspace_id, conversation_id } = line;
    const eventOf = (type: NewEvent['type'], members: object) => {
      const data: Record<string, unknown> = {
        conversation: { id: publicId('conversation', conversation_id) },
        ...members,
        actor: presentActor(actor),
      };
      return { workspace_id, type, data, conversation_id };
    };
    const known = assigned.get(conversation_id);
    const member = memberOf(line);
    if (member && known) Object.assign(known.data, member);
    else if (member) {
      const event = eventOf('conversation.assigned', member);
      assigned.set(conversation_id, event);
      events.push(event);
    } else if (line.kind === 'closed') {
      const { reason_id, summary } = line;
      const category = reason_id ? { category_id: publicId('closing_category', reason_id) } : {};
      events.push(eventOf('conversation.closed', { ...category, ...(summary != null && { summary }) }));
    } else if (line.kind === 'reopened') events.push(eventOf('conversation.reopened', {}));
    else if (line.kind === 'handed_over') {
      events.push(eventOf('conversation.handed_over', { controller: line.controller }));
    }
  }
  return events;
}

function memberOf({ kind, value_id }: RecordedLine): object | undefined {
  if (kind === 'assigned') return { assignee_id: value_id ? publicId('user', value_id) : null };
  if (kind === 'team_assigned') return { team_id: value_id ? publicId('team', value_id) : null };
  return undefined;
}

function presentActor({ kind, id }: Actor): object {
  const id_kind = idKinds[kind as keyof typeof idKinds];
  return { kind, ...(id && id_kind && { id: publicId(id_kind, id) }) };
}
