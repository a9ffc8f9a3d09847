import { createHmac } from 'node:crypto';

/**
 * The value of `Service-Signature` for these bytes: `t=<unix_seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. The key is the
 * whole secret, `whsec_` included.
 */
export function signEvent(secret: string, body: string, at: Date): string {
  const t = Math.floor(at.getTime() / 1000);
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return `t=${t},v1=${v1}`;
}
