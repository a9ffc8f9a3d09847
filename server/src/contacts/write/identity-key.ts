import { searchKey } from '../../database/search-key.ts';
import { withoutCountry } from '../without-country.ts';

/** The search key of all names that an identity shows. */
export function identityKeyOf(
  identifier: string,
  { wa_id, user_id }: { wa_id?: string | null | undefined; user_id?: string | null | undefined } = {},
): string {
  const number = wa_id && !identifier.startsWith('+') ? `+${wa_id}` : undefined;
  const other = user_id === identifier ? undefined : user_id;
  return searchKey(withoutCountry(identifier), number, other && withoutCountry(other));
}
