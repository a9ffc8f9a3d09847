import { isIP } from 'node:net';
import { Refusal } from '../../http/reply/refusal.ts';

export interface RelyingParty {
  /** The host name: passkeys are bound to it. */
  id: string;
  origin: string;
}

/** Undefined where browsers have no passkeys: on plain http but for localhost, and at an address without a name. */
export function findRelyingParty(publicUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[');
  return isLocal || (protocol === 'https:' && isName) ? { id: hostname, origin } : undefined;
}

export function requireRelyingParty(publicUrl: string): RelyingParty {
  const party = findRelyingParty(publicUrl);
  if (party) return party;
  throw new Refusal('passkeys_unavailable', {
    detail: 'Passkeys need PUBLIC_URL to be an https address with a host name.',
  });
}
