import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';

/** `low`: at the reserve. `full`: the database cannot write. `silent`: the disk does not answer. */
export type DiskState = 'roomy' | 'low' | 'full' | 'silent';

/** The disk of DATA_DIR. A reserve of it is left to the database (hazard H118). */
export interface DiskSpace {
  state(): DiskState;
  free_bytes(): number;
  reserve_bytes(): number;
  /** Takes room for bytes of a file. Throws DiskLow if they would use up the reserve. */
  take(bytes: number): void;
  stop(): void;
}

/** A file does not fit beside the reserve. */
export class DiskLow extends Error {}

const mebibyte = 1_048_576;
const measureEveryMs = 1_000;
const silenceMs = 2_000;
// Larger files are refused before the reserve is reached exactly.
const marginBytes = 8 * mebibyte;
// PostgreSQL stops without room for the next segment of its log, which has 16 MB.
const fullBelowBytes = 16 * mebibyte;

/**
 * Measures the disk every second, one call at a time: a disk that hangs holds one thread, and nobody waits for it. Without
 * `reserve_mb` the reserve is 5% of the disk, from 64 MB to 1 GB.
 */
export async function watchDisk(folder: string, reserve_mb: number | undefined, log: Logger): Promise<DiskSpace> {
  let [free, reserve, taken] = [Number.POSITIVE_INFINITY, 0, 0];
  let answeredAt = performance.now();
  let last: DiskState = 'roomy';
  let measuring: Promise<void> | undefined;

  async function measure(): Promise<void> {
    const takenBefore = taken;
    const { bavail, blocks, bsize } = await statfs(folder);
    free = bavail * bsize;
    // What was taken during the measurement may not be part of it.
    taken -= takenBefore;
    const share = Math.min(Math.max(blocks * bsize * 0.05, 64 * mebibyte), 1_024 * mebibyte);
    reserve = reserve_mb === undefined ? share : reserve_mb * mebibyte;
    answeredAt = performance.now();
  }

  function state(): DiskState {
    if (performance.now() - answeredAt > measureEveryMs + silenceMs) return 'silent';
    if (free < fullBelowBytes) return 'full';
    return free - taken < reserve + marginBytes ? 'low' : 'roomy';
  }

  async function look(): Promise<void> {
    measuring ??= measure()
      .catch((error) => log.error({ err: error }, 'the disk of DATA_DIR could not be measured'))
      .finally(() => {
        measuring = undefined;
      });
    await Promise.race([measuring, new Promise((resolve) => setTimeout(resolve, silenceMs).unref())]);
    if (state() === last) return;
    last = state();
    const level = last === 'roomy' ? 'info' : 'warn';
    log[level]({ free_mb: Math.round(free / mebibyte), reserve_mb: Math.round(reserve / mebibyte) }, messages[last]);
  }

  await look();
  const timer = setInterval(look, measureEveryMs).unref();
  return {
    state,
    free_bytes: () => free,
    reserve_bytes: () => reserve,
    take(bytes) {
      if (state() === 'silent' || free - taken - bytes < reserve)
        throw new DiskLow('the disk of DATA_DIR has no room for files');
      taken += bytes;
    },
    stop: () => clearInterval(timer),
  };
}

const messages: Record<DiskState, string> = {
  roomy: 'the disk of DATA_DIR has room again',
  low: 'the disk of DATA_DIR is at its reserve: no files are taken',
  full: 'the disk of DATA_DIR is full',
  silent: 'the disk of DATA_DIR does not answer',
};
