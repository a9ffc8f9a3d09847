import path from 'node:path';
import type { Account } from './choose-account.ts';
import type { Programs } from './find-programs.ts';

/** A database cluster under DATA_DIR with its account and programs. */
export interface Cluster {
  data_dir: string;
  /** DATA_DIR/postgresql: the lock, the output of the last start, the password where one is needed. */
  folder: string;
  /** PostgreSQL's own folder. */
  path: string;
  programs: Programs;
  account: Account | undefined;
}

export function clusterFolder(data_dir: string): string {
  return path.join(data_dir, 'postgresql');
}

export function clusterPath(data_dir: string): string {
  return path.join(clusterFolder(data_dir), 'data');
}

/** The output of PostgreSQL until its own log begins, including the reason of a failed start. */
export function startLogFile({ folder }: Cluster): string {
  return path.join(folder, 'start.log');
}
