import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * SHA-256 of a request body as canonical JSON (RFC 8785): equal for equal JSON values, whatever the order of members,
 * the white space or the spelling of numbers (hazard H56). `undefined` stands for no body, which equals no value.
 */
export function fingerprint(body: unknown): Buffer {
  return hash('sha256', canonicalize(body) ?? '', 'buffer');
}
