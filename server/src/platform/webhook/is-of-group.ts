import type { JsonObject } from '../json-object.ts';
import { readId, readWord } from '../read-json.ts';

/** Whether the id of a thread names a group: the founder's number with a time behind it, or more digits than a number has. */
export function isGroupId(id: unknown): boolean {
  return /^\d{5,15}-\d{10}(?:@|$)|^\d{16,}/.test(readId(id) ?? '');
}

/** Whether a message or a call belongs to a group. In places the platform writes null or `""` for an absent id. */
export function isOfGroup({ group_id, recipient_type }: JsonObject): boolean {
  return readWord(recipient_type) === 'group' || readId(group_id) !== undefined;
}
