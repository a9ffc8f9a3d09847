import { searchKey } from '../../database/search-key.ts';

/** The search key of all names that an identity shows. */
export function identityKeyOf(
  identifier: string,
  { wa_id, user_id }: { wa_id?: string | null | undefined; user_id?: string | null | undefined },
): string {
  const number = wa_id && !identifier.startsWith('+') ? `+${wa_id}` : undefined;
  return searchKey(identifier, number, user_id === identifier ? undefined : user_id);
}
