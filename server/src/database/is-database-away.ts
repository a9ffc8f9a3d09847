import { sqlState } from './transaction.ts';

/**
 * Whether an error means that the database is unreachable, broke off or is busy. The statement itself is correct, and may have
 * been executed.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const state = sqlState(error);
  if (state) return awayStates.test(state);
  if ('code' in error && awayCodes.has(String(error.code))) return true;
  return awayMessages.test(error.message);
}

// 08 connection lost, 53 out of resources, 57 shut down or timed out, 25006 read-only, 25P03 idle in a transaction, 55P03 lock
// timeout.
const awayStates = /^(08|53|57)|^25006$|^25P03$|^55P03$/;
// Errors of the network and of the driver have no state.
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
