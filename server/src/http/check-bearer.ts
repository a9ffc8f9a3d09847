import { createHash, timingSafeEqual } from 'node:crypto';

/** Creates a check of the Authorization header in constant time. */
export function createBearerCheck(token: string): (authorization: string | undefined) => boolean {
  const expected = digest(token);
  // Any characters, not only RFC 6750's: the operator chose the token.
  return (authorization = '') => {
    const given = /^bearer /i.test(authorization) ? authorization.slice('bearer '.length).trim() : '';
    return timingSafeEqual(digest(given), expected);
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
