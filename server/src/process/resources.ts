import type { Logger } from 'pino';
import type { Pool } from '../database/pool.ts';
import type { FileStore } from '../files/file-store.ts';
import type { CursorCodec } from '../http/cursor.ts';
import type { GuardedPoster } from '../outbound/post-guarded.ts';
import type { SpaceCalls } from '../outbound/space-calls.ts';
import type { SecretBox } from '../secrets/encrypt.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { DiskSpace } from './disk-space.ts';
import type { Metrics } from './metrics.ts';

/** The resources that a process has once. Modules receive them and use those that they need. */
export interface Resources {
  config: Config;
  log: Logger;
  clock: Clock;
  pool: Pool;
  metrics: Metrics;
  secretBox: SecretBox;
  cursors: CursorCodec;
  files: FileStore;
  disk: DiskSpace;
  /** Calls URLs that customers set. */
  poster: GuardedPoster;
  /** Limits the calls per second to the host of a webhook endpoint. */
  hostCalls: SpaceCalls;
}
