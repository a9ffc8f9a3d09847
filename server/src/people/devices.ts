import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../secrets/encrypt.ts';

/** How long a browser counts as known after a sign-in: the longest that browsers keep a cookie. */
export const deviceSeconds = 400 * 86_400;

/**
 * A value for the cookie of a browser in which the account signed in. It signs nobody in. It keeps the person out of the queue
 * and the limits of strangers, so that nobody locks them out by guessing (OWASP, "device cookies").
 */
export function makeDevice(secretBox: SecretBox, account: string): string {
  const id = randomBytes(16).toString('base64url');
  return `${id}.${secretBox.fingerprint(textOf(account, id)).toString('base64url')}`;
}

/** The id of a known device of this account. Undefined for a cookie of another account, and for one that Majlis did not make. */
export function findDevice(secretBox: SecretBox, account: string, cookie: string | undefined): string | undefined {
  const [id = '', mac = ''] = cookie?.split('.') ?? [];
  const given = Buffer.from(mac, 'base64url');
  const isOurs = secretBox
    .fingerprints(textOf(account, id))
    .some((own) => own.length === given.length && timingSafeEqual(own, given));
  return isOurs ? id : undefined;
}

function textOf(account: string, id: string): string {
  return `people.device ${account} ${id}`;
}
