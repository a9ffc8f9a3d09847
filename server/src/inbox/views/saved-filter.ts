import { assignedToMe, type ViewFilter } from '@majlis/console-api';
import type { FilterText } from '../../conversations/list/read-filter.ts';
import { publicId } from '../../database/ids.ts';

/** The filter of a saved view, with the person who looks in the place of `me`. */
export function ownFilter(filter: ViewFilter, { user_id }: { user_id: string }): FilterText {
  const isMine = filter.assignee_id === assignedToMe;
  return { ...filter, ...(isMine && { assignee_id: publicId('user', user_id) }) } as FilterText;
}
