import ipaddr from 'ipaddr.js';

/**
 * The part of an address that one client has: an IPv4 address, or the 64 bits of an IPv6 network, in which a client chooses
 * the rest.
 */
export function clientAddress(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : firstParts(parsed as ipaddr.IPv6, 4);
}

/** The 48 bits that a site gets in IPv6: 65,536 networks of one client. Undefined for IPv4. */
export function siteOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? undefined : firstParts(parsed as ipaddr.IPv6, 3);
}

function firstParts({ parts }: ipaddr.IPv6, count: number): string {
  return parts
    .slice(0, count)
    .map((part) => part.toString(16))
    .join(':');
}

/** A check for membership in networks such as `10.0.0.0/8` or single addresses. */
export function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.map((text) => {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128] as const;
  });
  return (address) => {
    if (ranges.length === 0 || !ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return ranges.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base as never, bits));
  };
}
