import { setTimeout } from 'node:timers/promises';
import { createLookup } from './lookup-addresses.ts';
import { notPublic, readTarget } from './read-target.ts';
import { addressRefused, type LookupAddresses, resolveChecked } from './resolve-checked.ts';

export type CheckedUrl = { ok: true } | { ok: false; reason: string };

export interface CheckUrlOptions {
  /** Allows `http:` and private addresses. */
  allow_private: boolean;
  lookup?: LookupAddresses;
  /** The time limit of the name servers. */
  timeout_ms?: number;
}

/**
 * Checks a URL at registration and change. A name that does not resolve in time is accepted, because each connection checks
 * the addresses again. Answers the reason of a refusal, which continues a sentence that begins with the field's name.
 */
export async function checkUrl(
  url: string,
  { allow_private, lookup = defaultLookup, timeout_ms = 3_000 }: CheckUrlOptions,
): Promise<CheckedUrl> {
  const reading = readTarget(url, { allow_private });
  if (!reading.ok) return reading;
  if (allow_private) return { ok: true };
  const resolved = resolveChecked(lookup, reading.target.hostname, { allow_private });
  const checked = resolved.then((): CheckedUrl => ({ ok: true }), readFailure);
  return Promise.race([checked, setTimeout<CheckedUrl>(timeout_ms, { ok: true }, { ref: false })]);
}

function readFailure(error: unknown): CheckedUrl {
  const is_refused = error instanceof Error && 'code' in error && error.code === addressRefused;
  return is_refused ? { ok: false, reason: notPublic } : { ok: true };
}

const defaultLookup = createLookup();
