import { sqlState } from './transaction.ts';

/**
 * Whether an error says that the database could not be reached, broke off or takes nothing at the moment: nothing is
 * wrong with the statement, and whether it was carried out may be unknown.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const state = sqlState(error);
  if (state) return awayStates.test(state);
  if ('code' in error && awayCodes.has(String(error.code))) return true;
  return awayMessages.test(error.message);
}

// 08 connection lost, 53 out of resources, 57 shut down or timed out, 25006 read-only, 25P03 idle in a transaction, 55P03 a
// lock was not to be had in time.
const awayStates = /^(08|53|57)|^25006$|^25P03$|^55P03$/;
// Without a state it is an error of the network, or of the driver.
const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
  'ERR_STREAM_DESTROYED',
]);
const awayMessages = /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable/;
