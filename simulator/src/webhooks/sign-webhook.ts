import { createHmac } from 'node:crypto';

/**
 * JSON as the platform writes it: everything beyond ASCII as lowercase `\uXXXX`, a slash as `\/` (section 6.2).
 * A receiver that parses and serialises again before verifying gets other bytes, and should.
 */
export function toEscapedJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/');
}

/** The value of `X-Hub-Signature-256` for these very bytes. */
export function signWebhook(body: string | Buffer, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
}
