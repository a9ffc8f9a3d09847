import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { isPublicAddress } from './is-public-address.ts';

/** All addresses of a name, of both families; rejects with an error that has a `code` when there is none. */
export type LookupAddresses = (hostname: string) => Promise<LookupAddress[]>;

export const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

/**
 * The addresses that a connection may be made to. One that is not public refuses them all: a name that answers with both is
 * misconfigured, or made to slip through.
 */
export async function resolveChecked(
  lookup: LookupAddresses,
  hostname: string,
  { allow_private }: { allow_private: boolean },
): Promise<LookupAddress[]> {
  const family = isIP(hostname);
  const addresses = family ? [{ address: hostname, family }] : await lookup(hostname);
  if (addresses.length === 0) throw withCode('ENOTFOUND');
  if (!allow_private && !addresses.every(({ address }) => isPublicAddress(address))) throw withCode(ADDRESS_REFUSED);
  return addresses;
}

/** An error that says nothing else: the name it is about may hold what belongs in no log. */
export function withCode(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
