import { randomFillSync } from 'node:crypto';
import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';

const mebibyte = 1_048_576;
// Two segments of PostgreSQL's log: its recovery and a checkpoint fit into them.
const ballastBytes = 32 * mebibyte;
// PostgreSQL does not start without room for a segment of its log and a checkpoint.
const neededBytes = 24 * mebibyte;
const plentyBytes = 96 * mebibyte;
const checkEveryMs = 10_000;

const fileIn = (folder: string) => path.join(folder, 'ballast');

/**
 * Removes the ballast, a file without meaning beside the database, if the disk is full. PostgreSQL then has room to recover
 * and to start (hazard H118).
 */
export async function dropBallast(folder: string, log: Logger): Promise<void> {
  if ((await freeBytes(folder)) >= neededBytes) return;
  const file = fileIn(folder);
  if (!(await stat(file).catch(() => undefined))) return;
  await rm(file, { force: true });
  log.warn('the disk is full; the ballast beside the database was removed, so that PostgreSQL can write');
}

/** Writes the ballast whenever it is missing and the disk has room for it. */
export function keepBallast(folder: string, log: Logger): { stop(): Promise<void> } {
  let writing: Promise<void> | undefined;
  const timer = setInterval(() => {
    writing ??= writeIfMissing(folder)
      .catch((error) => log.warn({ err: error }, 'the ballast beside the database could not be written'))
      .finally(() => {
        writing = undefined;
      });
  }, checkEveryMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}

async function writeIfMissing(folder: string): Promise<void> {
  const file = fileIn(folder);
  if (await stat(file).catch(() => undefined)) return;
  if ((await freeBytes(folder)) < ballastBytes + plentyBytes) return;
  const unfinished = `${file}.new`;
  const handle = await open(unfinished, 'w', 0o600);
  try {
    // Random bytes take their room on file systems that compress too.
    const chunk = randomFillSync(Buffer.alloc(mebibyte));
    for (let written = 0; written < ballastBytes; written += chunk.length) await handle.write(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
