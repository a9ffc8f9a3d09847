import type { Logger } from 'pino';
import type { WebhookNames } from '../channels/queries.ts';

const logEveryMs = 1_000;

/**
 * Logs notifications whose signature does not verify, at most once a second, because anyone may send them. A secret that was
 * changed on one side alone refuses every message of customers, and the platform reports nothing. The line has the first five
 * numeric ids of each kind, because the ids are not verified.
 */
export function createLogRefused(log: Pick<Logger, 'warn'>, now = () => performance.now()) {
  let logged_at = Number.NEGATIVE_INFINITY;
  let refused = 0;
  return ({ waba_ids, phone_number_ids }: WebhookNames) => {
    refused += 1;
    if (now() < logged_at + logEveryMs) return;
    const ids = { waba_ids: shorten(waba_ids), phone_number_ids: shorten(phone_number_ids) };
    log.warn({ ...ids, refused }, 'a notification was refused: its signature does not verify');
    logged_at = now();
    refused = 0;
  };
}

function shorten(ids: readonly string[]): string[] {
  return ids.filter((id) => /^\d{1,32}$/.test(id)).slice(0, 5);
}
