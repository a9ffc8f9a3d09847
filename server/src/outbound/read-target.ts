import { isIP } from 'node:net';

/** Where a call goes, as the URL parser reads the address: every spelling of a number is one spelling here. */
export interface Target {
  /** Scheme, host and port. */
  origin: string;
  /** Without the brackets of an IPv6 address. */
  hostname: string;
  /** Path and query, percent-encoded. */
  path: string;
}

export type TargetReading = { ok: true; target: Target } | { ok: false; reason: string };

/**
 * What can be told of an address without asking anybody: scheme, port, spelling. What its name resolves to is checked by
 * `resolve-checked.ts`, for each connection.
 */
export function readTarget(address: string, { allow_private }: { allow_private: boolean }): TargetReading {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const reason = url ? findFault(address, url, allow_private) : 'is not an absolute URL';
  if (!url || reason) return { ok: false, reason: reason ?? '' };
  return {
    ok: true,
    target: { origin: url.origin, hostname: hostnameOf(url), path: url.pathname + url.search },
  };
}

function findFault(address: string, url: URL, allow_private: boolean): string | undefined {
  if (address.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (/[\p{C}\s\\]/u.test(address)) return 'holds spaces, control characters or backslashes';
  if (url.protocol !== 'https:' && !(allow_private && url.protocol === 'http:'))
    return allow_private ? 'must begin with https:// or http://' : 'must begin with https://';
  // The parser forgets an empty userinfo (`https://@host/`): it is looked for in the text.
  if (url.username || url.password || /^[a-z]+:\/*[^/?#]*@/i.test(address)) return 'must not hold a user or a password';
  if (isForbiddenPort(url.port, allow_private)) return 'names a port that is not called';
  return findNameFault(hostnameOf(url), allow_private);
}

function findNameFault(hostname: string, allow_private: boolean): string | undefined {
  if (isIP(hostname)) return undefined;
  if (hostname.endsWith('.')) return 'must not end its host with a dot';
  const labels = hostname.split('.');
  if (hostname.length > 253 || labels.some((label) => label === '' || label.length > 63)) return 'has no valid host';
  if (!/^[a-z0-9_.-]+$/.test(hostname)) return 'has no valid host';
  if (allow_private) return undefined;
  const isLocal = labels.length === 1 || localNames.some((name) => hostname === name || hostname.endsWith(`.${name}`));
  return isLocal ? NOT_PUBLIC : undefined;
}

/** The one reason for every address, however spelled or resolved, that is not on the public internet. */
export const NOT_PUBLIC = 'must be an address on the public internet';

// A bound that every browser and proxy takes; the contract names none.
const MAX_LENGTH = 2048;

// Names that stand for the machine itself, its neighbours or the cloud's metadata. Where they resolve, the addresses are
// refused anyway; here they are refused before they resolve.
const localNames = ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'lan', 'corp', 'home', 'home.arpa'];
localNames.push('private', 'svc', 'metadata.goog', 'onion');

/**
 * Public targets: 443, or any unprivileged port save those on which another protocol is expected (the ones above 1023 in the
 * "bad ports" of the Fetch standard). Private ones: any.
 */
function isForbiddenPort(port: string, allow_private: boolean): boolean {
  if (port === '') return false;
  const number = Number(port);
  if (number === 0) return true;
  return !allow_private && (number < 1024 || foreignPorts.has(number));
}

const foreignPorts = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

function hostnameOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}
