import type { Logger } from 'pino';
import type { Origins } from './read-origins.ts';

const tellEveryMs = 1_000;

/**
 * A line for notifications whose signature does not verify: a secret that was changed on one side alone refuses all that
 * customers write, and the platform tells nobody. At most one a second: whoever finds the door may knock as often as he
 * likes. It has the ids that the first of them names, shortened, because nobody has vouched for a word of it.
 */
export function createTellRefused(log: Pick<Logger, 'warn'>, now = () => performance.now()) {
  let told_at = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return ({ waba_ids, phone_number_ids }: Origins) => {
    untold += 1;
    if (now() < told_at + tellEveryMs) return;
    const ids = { waba_ids: readable(waba_ids), phone_number_ids: readable(phone_number_ids) };
    log.warn({ ...ids, refused: untold }, 'a notification was refused: its signature does not verify');
    told_at = now();
    untold = 0;
  };
}

function readable(ids: string[]): string[] {
  return ids.filter((id) => /^\d{1,32}$/.test(id)).slice(0, 5);
}
