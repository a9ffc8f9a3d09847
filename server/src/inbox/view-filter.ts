import { assignedToMe, type ViewFilter } from '@majlis/console-api';
import { findContact } from '../contacts/find-contact.ts';
import { findByPublicId } from '../conversations/find-by-public-id.ts';
import { refuseHidden } from '../conversations/refuse-hidden.ts';
import type { Viewer } from '../conversations/require-conversation.ts';
import { parseId, publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { invalid, type MemberFault, unknownReference } from '../http/reply/refusal.ts';

/** A filter as it is stored: the contact has a column, so that an erasure finds it. */
export interface StoredFilter {
  filter: Omit<ViewFilter, 'contact_id'>;
  contact_id: string | null;
}

/** Refuses a filter that names what the workspace does not have, and 404 for a contact that the viewer may not see. */
export async function readViewFilter(
  connection: Connection,
  viewer: Viewer,
  { contact_id, ...filter }: ViewFilter,
): Promise<StoredFilter> {
  const { workspace_id } = viewer;
  const { assignee_id, stage_id, team_id } = filter;
  const faults: MemberFault[] = [];
  const isSomebody = assignee_id !== undefined && assignee_id !== 'none' && assignee_id !== assignedToMe;
  if (isSomebody && !(await findByPublicId(connection, 'user', workspace_id, assignee_id))) {
    const detail = `names no user: give the id of a user, none or ${assignedToMe}`;
    faults.push(unknownReference(detail, '/filter/assignee_id'));
  }
  if (stage_id !== undefined && !(await findByPublicId(connection, 'stage', workspace_id, stage_id))) {
    faults.push(unknownReference('names no stage', '/filter/stage_id'));
  }
  if (team_id !== undefined && !(await findByPublicId(connection, 'team', workspace_id, team_id))) {
    faults.push(unknownReference('names no team', '/filter/team_id'));
  }
  const contact = contact_id === undefined ? undefined : parseId('contact', contact_id);
  if (contact_id !== undefined && !(contact && (await findContact(connection, workspace_id, contact)))) {
    faults.push(unknownReference('names no contact', '/filter/contact_id'));
  }
  if (faults.length > 0) throw invalid(faults);
  await refuseHidden(connection, viewer, { contact_id: contact });
  return { filter, contact_id: contact ?? null };
}

export function presentViewFilter({ filter, contact_id }: StoredFilter): ViewFilter {
  return { ...filter, ...(contact_id && { contact_id: publicId('contact', contact_id) }) };
}
