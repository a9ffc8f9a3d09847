import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether `X-Hub-Signature-256` (`sha256=<64 hex>`) is the HMAC-SHA256 of these bytes under the app's secret (section 6.2).
 * `raw_body` must be the received bytes: the platform escapes non-ASCII, so re-serialised JSON has another signature.
 */
export function verifySignature(raw_body: Uint8Array, header: string | undefined, app_secret: string): boolean {
  const given = form.exec(header ?? '')?.[1];
  if (given === undefined || app_secret === '') return false;
  const expected = createHmac('sha256', app_secret).update(raw_body).digest();
  return timingSafeEqual(expected, Buffer.from(given, 'hex'));
}

/** Whether the header can be a signature. If not, the body need not be read. */
export function isSignature(header: string | string[] | undefined): header is string {
  return typeof header === 'string' && form.test(header);
}

const form = /^sha256=([0-9a-f]{64})$/i;
