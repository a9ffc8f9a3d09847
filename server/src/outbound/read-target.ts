import { isIP } from 'node:net';

/** The target of a call as the URL parser reads it. The parser normalises all spellings of an IP address (hazard H39). */
export interface Target {
  /** Scheme, host and port. */
  origin: string;
  /** The host without the brackets of an IPv6 address. */
  hostname: string;
  /** Path and query, percent-encoded. */
  path: string;
}

export type TargetReading = { ok: true; target: Target } | { ok: false; reason: string };

/**
 * Checks scheme, port and spelling of a URL without a look-up. `resolve-checked.ts` checks the resolved addresses for each
 * connection.
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
  if (address.length > maxLength) return `is longer than ${maxLength} characters`;
  if (/[\p{C}\s\\]/u.test(address)) return 'holds spaces, control characters or backslashes';
  if (url.protocol !== 'https:' && !(allow_private && url.protocol === 'http:'))
    return allow_private ? 'must begin with https:// or http://' : 'must begin with https://';
  // The parser drops an empty userinfo (`https://@host/`), so the text is checked too.
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
  return isLocal ? notPublic : undefined;
}

/** The single reason for every address that is not on the public internet. */
export const notPublic = 'must be an address on the public internet';

// Every browser and proxy accepts this length. The contract names no bound.
const maxLength = 2048;

// These names mean the machine itself, its network or the cloud's metadata. They are refused before they resolve; their
// addresses would be refused as well.
const localNames = ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'lan', 'corp', 'home', 'home.arpa'];
localNames.push('private', 'svc', 'metadata.goog', 'onion');

/**
 * Public targets may use port 443 and any unprivileged port except the "bad ports" of the Fetch standard. Private targets may
 * use any port.
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
