import { type IdKind, parseId } from '../database/ids.ts';
import { Refusal } from './reply/refusal.ts';

/** The UUID of a public id; 404 where the text cannot be an id of this kind. */
export function requireId(kind: IdKind, public_id: string): string {
  const id = parseId(kind, public_id);
  if (!id) throw new Refusal('not_found');
  return id;
}
