import type { Pool } from '../database/pool.ts';
import { readHead } from './feed.ts';

/** The id of the last event so far. A stream that resumes after it tells every change that a later reading may have missed. */
export async function readLiveId(pool: Pool): Promise<string> {
  const { epoch, position } = await readHead(pool);
  return liveIdOf(epoch, position);
}

export const liveIdOf = (epoch: string, position: number): string => `${epoch}-${position}`;
