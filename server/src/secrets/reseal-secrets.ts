import type { JobHandler } from '../jobs/job.ts';
import { repeatJob } from '../jobs/repeat-job.ts';
import type { Resources } from '../process/resources.ts';
import { type SealedPlaces, sealedWithOldKeys, walkSealedRows } from './sealed-rows.ts';

/** Seals with SECRET_KEY what SECRET_KEY_OLD sealed. It repeats while a process has an old key. */
export const resealSecrets = 'secrets.reseal';

const everySeconds = 60;

type Needs = Pick<Resources, 'pool' | 'clock' | 'config' | 'secretBox' | 'log'>;

/** Each row is one statement, so a crash loses nothing, and the next pass goes on. */
export function resealSecretsHandler({ pool, clock, config, secretBox, log }: Needs, places: SealedPlaces): JobHandler {
  let isTold = false;
  async function perform(): Promise<void> {
    let resealed = 0;
    for (const rows of places.rows) {
      for await (const row of walkSealedRows(pool, secretBox, rows, sealedWithOldKeys(secretBox))) {
        await row.reseal(pool);
        resealed++;
      }
    }
    if (resealed > 0) log.info({ resealed }, 'secrets of SECRET_KEY_OLD were sealed with SECRET_KEY');
    const isNeeded = await isOldKeyInUse({ pool, secretBox }, places);
    // A warning, since the operator is to act on it.
    if (!isNeeded && !isTold) log.warn('nothing is sealed with SECRET_KEY_OLD any more: it may be removed');
    isTold = !isNeeded;
  }
  // Without an old key, the job of an earlier start ends.
  if (secretBox.heads.old.length === 0) {
    return { kind: resealSecrets, concurrency: 1, group_concurrency: 1, run: async () => ({ type: 'done' }) };
  }
  return repeatJob({ pool, clock, config }, { kind: resealSecrets, every_seconds: everySeconds, perform });
}

/** Whether anything in the database still needs SECRET_KEY_OLD. */
export async function isOldKeyInUse(
  { pool, secretBox }: Pick<Resources, 'pool' | 'secretBox'>,
  { rows, countWaiting }: SealedPlaces,
): Promise<boolean> {
  if (secretBox.heads.old.length === 0) return false;
  for (const one of rows) {
    const wanted = { ...sealedWithOldKeys(secretBox), after: undefined };
    if ((await one.list(pool, secretBox, wanted)).length > 0) return true;
  }
  return (await countWaiting(pool, secretBox)) > 0;
}
