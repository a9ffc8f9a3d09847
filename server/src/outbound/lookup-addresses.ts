import { type LookupAddress, promises } from 'node:dns';
import { type LookupAddresses, withCode } from './resolve-checked.ts';

export interface LookupOptions {
  /** Replaces the system's name servers and hosts file. */
  servers?: readonly string[];
  /** The second try waits twice as long. By default both take 4.5 s, less than half of a delivery's deadline. */
  first_wait_ms?: number;
}

/**
 * Asks the name servers directly. The system's resolver (`getaddrinfo`) occupies one of the four threads that also serve the
 * file system: four silent name servers would block everything. The resolver is asked second, for the hosts file and search
 * domains, after the name servers denied the name, on two threads at most.
 *
 * Concurrent look-ups of one name share one query. Results are not cached.
 */
export function createLookup(options: LookupOptions = {}): LookupAddresses {
  const underWay = new Map<string, Promise<LookupAddress[]>>();
  const askSystem = inTurns(2, (hostname) => promises.lookup(hostname, { all: true, order: 'verbatim' }));
  const look = async (hostname: string): Promise<LookupAddress[]> => {
    if (/(^|\.)localhost$/.test(hostname)) return loopback;
    try {
      return await askServers(hostname, options);
    } catch (error) {
      if (options.servers || isTimeout(error)) throw error;
      return askSystem(hostname);
    }
  };
  return (hostname) => {
    const shared = underWay.get(hostname) ?? look(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, shared);
    return shared;
  };
}

/**
 * Queries both families, IPv4 first, since broken IPv6 is more common. If only one query is answered, its addresses are the
 * result.
 */
async function askServers(
  hostname: string,
  { servers, first_wait_ms = 1_500 }: LookupOptions,
): Promise<LookupAddress[]> {
  const resolver = new promises.Resolver({ timeout: first_wait_ms, tries: 2 });
  if (servers) resolver.setServers(servers);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  );
  if (addresses.length > 0) return addresses;
  throw answers.find((answer) => answer.status === 'rejected')?.reason ?? withCode('ENODATA');
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ETIMEOUT';
}

/** Limits the concurrent calls; the others wait. */
function inTurns<T>(limit: number, ask: (hostname: string) => Promise<T>): (hostname: string) => Promise<T> {
  const last: Promise<unknown>[] = Array.from({ length: limit }, () => Promise.resolve());
  let next = 0;
  return (hostname) => {
    const lane = next++ % limit;
    const asked = last[lane]!.then(() => ask(hostname));
    last[lane] = asked.catch(() => undefined);
    return asked;
  };
}

// RFC 6761: these names mean the machine itself, whatever a server answers.
const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
