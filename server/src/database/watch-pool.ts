import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

const lookEveryMs = 1_000;
// A statement that reads nothing: silence for this long is a network that swallows, or a server that stands still.
const silenceMs = 2_000;

/**
 * Finds connections that died without a word (hazard H97). TCP itself notices within 20 s those that wait, and after a
 * quarter of an hour those on which something was sent. So one of the idle connections is asked every second; when it
 * stays silent, all idle ones are given up, and what comes next meets new ones. Those in use end by their own timeouts.
 */
export function watchPool(pool: pg.Pool): { stop(): void } {
  const idle = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => void idle.delete(client));
  pool.on('release', (_error, client) => void idle.add(client));
  pool.on('remove', (client) => void idle.delete(client));

  let asking = false;
  const timer = setInterval(async () => {
    if (asking) return;
    asking = true;
    // Where none can be had, there is no silence but a failure that whoever needs a connection meets too.
    if (await findsSilence(pool).catch(() => false)) for (const client of idle) giveUp(client);
    asking = false;
  }, lookEveryMs).unref();
  return { stop: () => clearInterval(timer) };
}

async function findsSilence(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  let isSilent = true;
  const answered = () => {
    isSilent = false;
  };
  await Promise.race([client.query('select 1').then(answered, answered), pause(silenceMs, undefined, { ref: false })]);
  // Where this process stood still, the answer lies unread.
  if (isSilent) await nextTurn().then(() => nextTurn());
  client.release(isSilent);
  return isSilent;
}

/** The pool hears of it as of any connection that breaks, and forgets it at once. */
function giveUp(client: pg.PoolClient): void {
  client.emit('error', new Error('the connection was given up: another one stays silent'));
}
