import { readFilterId } from '../../database/ids.ts';
import type { ConversationFilter } from './conversation-filter.ts';

export type FilterText = { [Name in keyof ConversationFilter]?: string } & Pick<ConversationFilter, 'status'>;

/** Who asks for the list. */
export interface FilterReader {
  user_id: string | null;
  own_teams_only?: boolean;
}

/** Undefined where a text of the filter cannot be an id: then no conversation matches. */
export function readFilter(
  query: FilterText,
  { user_id, own_teams_only }: FilterReader,
): ConversationFilter | undefined {
  const isUnassigned = query.assignee_id === 'none';
  const assignee_id = readFilterId('user', isUnassigned ? undefined : query.assignee_id);
  const stage_id = readFilterId('stage', query.stage_id);
  const team_id = readFilterId('team', query.team_id);
  const contact_id = readFilterId('contact', query.contact_id);
  if (assignee_id === null || stage_id === null || team_id === null || contact_id === null) return undefined;
  const { status, channel_type, tag, q } = query;
  const visible_to = own_teams_only ? (user_id ?? undefined) : undefined;
  return {
    status,
    assignee_id: isUnassigned ? null : assignee_id,
    channel_type,
    stage_id,
    team_id,
    contact_id,
    tag,
    q,
    visible_to,
  };
}
