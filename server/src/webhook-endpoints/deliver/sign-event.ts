import { createHmac } from 'node:crypto';

/**
 * Computes `Service-Signature`: `t=<unix_seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. The key is the whole secret with
 * `whsec_`. During a rotation there is one `v1` for each secret, as verifiers of this header form expect. The old one is last,
 * because simple parsers keep the last of equal names.
 */
export function signEvent(secrets: readonly string[], body: string, at: Date): string {
  const t = Math.floor(at.getTime() / 1000);
  const digests = secrets.map((secret) => createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
  return [`t=${t}`, ...digests.map((v1) => `v1=${v1}`)].join();
}
