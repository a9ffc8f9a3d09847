import { createHmac } from 'node:crypto';

/**
 * JSON in the platform's form: non-ASCII as lowercase `\uXXXX`, a slash as `\/` (section 6.2). So a receiver that verifies
 * re-serialised JSON fails, as at the platform.
 */
export function toEscapedJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/');
}

/** The value of `X-Hub-Signature-256` for these bytes. */
export function signWebhook(body: string | Buffer, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
}
