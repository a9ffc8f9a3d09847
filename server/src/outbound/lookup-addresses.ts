import { type LookupAddress, promises } from 'node:dns';
import { type LookupAddresses, withCode } from './resolve-checked.ts';

export interface LookupOptions {
  /** In place of the system's name servers and hosts file. */
  servers?: readonly string[];
  /** The second try waits twice as long: 4.5 s in all unless told, less than half of a delivery's time. */
  first_wait_ms?: number;
}

/**
 * Asks the name servers directly. The system's own look-up (`getaddrinfo`) occupies one of the four threads that also serve the
 * file system for as long as it waits: four names whose servers never answer would hold up everything. It is asked second,
 * for what the hosts file and search domains know, after the name servers have denied the name, and on two threads at most.
 *
 * Those who ask for the same name at the same time share one look-up; nothing is remembered beyond that.
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
 * Both families, IPv4 first: where one of them leads nowhere without saying so, it is the other. When only one of the questions
 * is answered, its answer is all that may be connected to.
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

/** At most so many at once; the others wait. */
function inTurns<T>(lanes: number, ask: (hostname: string) => Promise<T>): (hostname: string) => Promise<T> {
  const last: Promise<unknown>[] = Array.from({ length: lanes }, () => Promise.resolve());
  let next = 0;
  return (hostname) => {
    const lane = next++ % lanes;
    const asked = last[lane]!.then(() => ask(hostname));
    last[lane] = asked.catch(() => undefined);
    return asked;
  };
}

// RFC 6761: these names are the machine itself, whatever a server says.
const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
