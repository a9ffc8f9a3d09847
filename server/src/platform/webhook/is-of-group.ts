import type { JsonObject } from '../json-object.ts';
import { readId } from '../read-json.ts';

/** Whether a message belongs to a group. In places the platform writes null or `""` for an absent id. */
export function isOfGroup({ group_id }: JsonObject): boolean {
  return readId(group_id) !== undefined;
}
