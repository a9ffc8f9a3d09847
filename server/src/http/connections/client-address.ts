import ipaddr from 'ipaddr.js';

/**
 * The part of an address that one client has: an IPv4 address, or the 64 bits of an IPv6 network, in which a client chooses
 * the rest.
 */
export function clientAddress(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return (parsed as ipaddr.IPv6).parts
    .slice(0, 4)
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
