import { createHmac } from 'node:crypto';

/**
 * Computes `Service-Signature`: `t=<unix_seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. The key is the whole secret with
 * `whsec_`.
 */
export function signEvent(secret: string, body: string, at: Date): string {
  const t = Math.floor(at.getTime() / 1000);
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return `t=${t},v1=${v1}`;
}
