import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { isPublicAddress } from './is-public-address.ts';

/** Answers all addresses of a name in both families. Rejects with an error that has a `code` if there is none. */
export type LookupAddresses = (hostname: string) => Promise<LookupAddress[]>;

export const addressRefused = 'ADDRESS_REFUSED';

/**
 * Answers the addresses for a connection. If one address is not public, all are refused: such a name is misconfigured or an
 * attack (hazard H38).
 */
export async function resolveChecked(
  lookup: LookupAddresses,
  hostname: string,
  { allow_private }: { allow_private: boolean },
): Promise<LookupAddress[]> {
  const family = isIP(hostname);
  const addresses = family ? [{ address: hostname, family }] : await lookup(hostname);
  if (addresses.length === 0) throw withCode('ENOTFOUND');
  if (!allow_private && !addresses.every(({ address }) => isPublicAddress(address))) throw withCode(addressRefused);
  return addresses;
}

/** An error with a code alone: the host name may contain secrets that belong in no log. */
export function withCode(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
