import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

const checkEveryMs = 1_000;
// The check reads no table, so silence for this long means that the network drops packets or the server has stopped.
const silenceMs = 2_000;

/**
 * Finds connections that died silently (hazard H97). TCP notices those that wait within 20 s, and those on which something was
 * sent after a quarter of an hour. So every second one idle connection is checked. If it is silent, the pool drops all idle
 * ones. Connections in use end by their own timeouts.
 */
export function watchPool(pool: pg.Pool): { stop(): void } {
  const idle = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => void idle.delete(client));
  pool.on('release', (_error, client) => void idle.add(client));
  pool.on('remove', (client) => void idle.delete(client));

  let isChecking = false;
  const timer = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    // If no connection can be opened, other callers see that failure too.
    if (await isSilent(pool).catch(() => false)) for (const client of idle) drop(client);
    isChecking = false;
  }, checkEveryMs).unref();
  return { stop: () => clearInterval(timer) };
}

async function isSilent(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  let hasAnswered = false;
  const onAnswer = () => {
    hasAnswered = true;
  };
  await Promise.race([client.query('select 1').then(onAnswer, onAnswer), pause(silenceMs, undefined, { ref: false })]);
  // After a stop of this process the answer may still be unread.
  if (!hasAnswered) await nextTurn().then(() => nextTurn());
  client.release(!hasAnswered);
  return !hasAnswered;
}

/** An error makes the pool remove the connection at once. */
function drop(client: pg.PoolClient): void {
  client.emit('error', new Error('the connection was given up: another one stays silent'));
}
