import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/**
 * Whether anybody on the internet may be called there. Allowed is what is known to be public, and not what is missing from a
 * list of dangers: IPv4 outside all special ranges, IPv6 within 2000::/3 outside all special ranges. That leaves out every
 * form in which an IPv6 address carries an IPv4 one (mapped, compatible, NAT64, 6to4, Teredo, ISATAP): nobody needs them to
 * be reached.
 *
 * A public address of this machine leads to whatever listens on it, our own doors included, and is refused too.
 */
export function isPublicAddress(address: string, own: readonly string[] = ownAddresses()): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || own.some((each) => isSame(each, parsed))) return false;
  if (parsed instanceof ipaddr.IPv4) return !alsoRefused.some((range) => parsed.match(range));
  return parsed.match(globalUnicast) && !isIsatap(parsed) && parsed.zoneId === undefined;
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

// The metadata service of a cloud (Azure's wire server) on an address that is otherwise public.
const alsoRefused = [ipaddr.IPv4.parseCIDR('168.63.129.16/32')];

/** RFC 5214: the last 64 bits are 0000:5efe or 0200:5efe and an IPv4 address. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4]! & 0xfdff) === 0 && parts[5] === 0x5efe;
}

/** Read anew each time, which takes 40 µs: addresses come and go with networks. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}

function isSame(one: string, other: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return ipaddr.isValid(one) && ipaddr.parse(one).toNormalizedString() === other.toNormalizedString();
}
