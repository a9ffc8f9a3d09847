import type { JsonObject } from '../json-object.ts';
import { readId, readWord } from '../read-json.ts';

/** Whether a message or a call belongs to a group. In places the platform writes null or `""` for an absent id. */
export function isOfGroup({ group_id, recipient_type }: JsonObject): boolean {
  return readWord(recipient_type) === 'group' || readId(group_id) !== undefined;
}
