import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../http/reply/refusal.ts';

/** Creates a check of the Authorization header in constant time. */
export function createAuthenticateOperator(operatorToken: string): (authorization: string | undefined) => void {
  const expected = digest(operatorToken);
  return (authorization) => {
    // Any characters, not only RFC 6750's: the operator chose the token.
    const token = /^bearer +(.*?) *$/i.exec(authorization ?? '')?.[1] ?? '';
    if (!timingSafeEqual(digest(token), expected)) {
      const detail = 'The operator token is missing or wrong.';
      throw new Refusal('unauthorized', { detail, headers: { 'WWW-Authenticate': 'Bearer' } });
    }
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
