import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { buildConnector } from 'undici';
import { buildTolerantConnector } from './accept-continue.ts';
import { type LookupAddresses, resolveChecked, withCode } from './resolve-checked.ts';

export interface ConnectorOptions {
  lookup: LookupAddresses;
  allow_private: boolean;
  ca?: string;
}

/**
 * Connects to checked addresses only, and never throws. The socket calls our look-up once and connects to its result, so the
 * check and the connection use the same addresses (hazard H38). Several addresses are tried in turn. The `Host` header and
 * the certificate's name stay those of the URL.
 */
export function createConnector({ lookup, allow_private, ca }: ConnectorOptions): buildConnector.connector {
  const connect = buildTolerantConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    // The option is explicit, because an environment variable could disable the check for the whole process.
    rejectUnauthorized: true,
    ...(ca && { ca: [...rootCertificates, ca] }),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressTimeoutMs,
    lookup: checkedLookup(lookup, allow_private),
  });
  const attempt: buildConnector.connector = (options, callback) => {
    try {
      connect(options, callback);
    } catch (error) {
      callback(error instanceof Error ? error : withCode('ECONNABORTED'), null);
    }
  };
  return (options, callback) => {
    // An IP address in the URL causes no look-up, so it is checked here (hazard H39).
    if (!isIP(options.hostname)) return attempt(options, callback);
    resolveChecked(lookup, options.hostname, { allow_private }).then(
      () => attempt(options, callback),
      (error) => callback(error, null),
    );
  };
}

function checkedLookup(lookup: LookupAddresses, allow_private: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveChecked(lookup, hostname, { allow_private }).then(
      (addresses) => {
        if (options.all) callback(null, firstOfBoth(addresses));
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error) => callback(error, ''),
    );
  };
}

/** Takes two addresses of each family, so that an unreachable family leaves time for the other. */
function firstOfBoth(addresses: LookupAddress[]): LookupAddress[] {
  return [4, 6].flatMap((wanted) => addresses.filter(({ family }) => family === wanted).slice(0, 2));
}

// A call may give up earlier by its own deadline.
const connectTimeoutMs = 10_000;
// Node's default of 250 ms is too short for distant servers. Four times this value is less than a delivery's deadline.
const addressTimeoutMs = 2_000;
