import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * SHA-256 of a request body as canonical JSON (RFC 8785). The order of members, white space and the spelling of numbers do
 * not matter (hazard H56). `undefined` stands for a missing body, which equals no value.
 */
export function fingerprint(body: unknown): Buffer {
  return hash('sha256', canonicalize(body) ?? '', 'buffer');
}
