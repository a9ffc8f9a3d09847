import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { buildConnector } from 'undici';
import { type LookupAddresses, resolveChecked, withCode } from './resolve-checked.ts';

export interface ConnectorOptions {
  lookup: LookupAddresses;
  allow_private: boolean;
  ca?: string;
}

/**
 * Connects to checked addresses only, and never throws. The socket asks our look-up once and connects to what it returns, so nothing can change
 * between the check and the connection; several addresses are tried one after another. The host named in the request and the
 * name in the certificate stay those of the URL.
 */
export function createConnector({ lookup, allow_private, ca }: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    // Said here because an environment variable could say otherwise for the whole process.
    rejectUnauthorized: true,
    ...(ca && { ca: [...rootCertificates, ca] }),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
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
    // An address in the URL is never looked up, so it is checked before.
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

/** Two of each family: a family that leads nowhere must not use up the time of the other. */
function firstOfBoth(addresses: LookupAddress[]): LookupAddress[] {
  return [4, 6].flatMap((wanted) => addresses.filter(({ family }) => family === wanted).slice(0, 2));
}

// A call that gave up earlier does not wait for it.
const CONNECT_TIMEOUT_MS = 10_000;
// Node's 250 ms give up on a server on the other side of the world; four times this is still less than a delivery's time.
const ADDRESS_TIMEOUT_MS = 2_000;
