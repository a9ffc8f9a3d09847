import { setTimeout } from 'node:timers/promises';
import { createLookup } from './lookup-addresses.ts';
import { NOT_PUBLIC, readTarget } from './read-target.ts';
import { ADDRESS_REFUSED, type LookupAddresses, resolveChecked } from './resolve-checked.ts';

export type CheckedUrl = { ok: true } | { ok: false; reason: string };

export interface CheckUrlOptions {
  /** `http:` and private addresses are fine. */
  allow_private: boolean;
  lookup?: LookupAddresses;
  /** How long the name's servers may take. */
  timeout_ms?: number;
}

/**
 * For registration and change. A name that does not resolve yet, or not in time, is accepted: what it resolves to is checked
 * for each connection. The reason continues a sentence that begins with the field's name.
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
  const is_refused = error instanceof Error && 'code' in error && error.code === ADDRESS_REFUSED;
  return is_refused ? { ok: false, reason: NOT_PUBLIC } : { ok: true };
}

const defaultLookup = createLookup();
