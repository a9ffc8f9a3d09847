import { hash, randomBytes } from 'node:crypto';

export interface NewToken {
  /** 256 random bits, as base64url. It is shown once and never stored. */
  token: string;
  token_hash: Buffer;
}

export function newToken(): NewToken {
  const token = randomBytes(32).toString('base64url');
  return { token, token_hash: hashToken(token) };
}

/** Plain SHA-256 suffices for 256 random bits. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
