import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export interface GeneratedApiKey {
  /** The full key. It is shown once and never stored. */
  key: string;
  key_hash: Buffer;
  /** The leading characters, by which people distinguish keys. */
  key_prefix: string;
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = /^mj_[a-z0-9]{1,16}_[0-9A-Za-z]{38}$/;

/**
 * Generates `mj_test_` or `mj_live_`, 32 random characters (190 bits) and a checksum of 6 characters. Any other environment
 * contributes its own letters and digits to the prefix.
 */
export function generateApiKey(environment: string): GeneratedApiKey {
  const label =
    environment
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')
      .slice(0, 16) || 'key';
  const start = `mj_${label}_`;
  const body = start + Array.from({ length: 32 }, () => base62[randomInt(62)]).join('');
  const key = body + checksum(body);
  return { key, key_hash: hashOf(key), key_prefix: key.slice(0, start.length + 4) };
}

/** The hash that finds a key. Undefined for a wrong checksum, so that typos cost no query. */
export function parseApiKey(text: string): { key_hash: Buffer } | undefined {
  if (!shape.test(text) || checksum(text.slice(0, -6)) !== text.slice(-6)) return undefined;
  return { key_hash: hashOf(text) };
}

/** The credentials of an `Authorization` header (RFC 6750). The scheme is case-insensitive (RFC 9110). */
export function readBearer(header: string | undefined): string | undefined {
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(header ?? '')?.[1];
}

/** Plain SHA-256 suffices for 190 random bits. Slow hashes are for passwords that people choose. */
function hashOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = base62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
