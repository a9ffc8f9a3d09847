import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/**
 * Whether an address is on the public internet. This is an allow-list: IPv4 outside all special ranges, and IPv6 within
 * 2000::/3 outside all special ranges. It excludes every IPv6 form that embeds an IPv4 address (mapped, compatible, NAT64,
 * 6to4, Teredo, ISATAP).
 *
 * A public address of this machine is refused too, because it leads to local services, our own included.
 */
export function isPublicAddress(address: string, own: readonly string[] = ownAddresses()): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || own.some((each) => isSame(each, parsed))) return false;
  if (parsed instanceof ipaddr.IPv4) return !alsoRefused.some((range) => parsed.match(range));
  return parsed.match(globalUnicast) && !isIsatap(parsed) && parsed.zoneId === undefined;
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

// Azure's metadata service has an otherwise public address.
const alsoRefused = [ipaddr.IPv4.parseCIDR('168.63.129.16/32')];

/** RFC 5214: the last 64 bits are 0000:5efe or 0200:5efe and an IPv4 address. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4]! & 0xfdff) === 0 && parts[5] === 0x5efe;
}

/** Reads the interfaces each time, which takes 40 µs, because addresses change with networks. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}

function isSame(one: string, other: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return ipaddr.isValid(one) && ipaddr.parse(one).toNormalizedString() === other.toNormalizedString();
}
