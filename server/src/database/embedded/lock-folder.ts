import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CannotRun } from '../../process/cannot-run.ts';

export interface FolderLock {
  release(): void;
}

// Without a reference, the open database would be garbage-collected, and its lock released.
const held = new Set<DatabaseSync>();

/**
 * Locks the folder for this process. A kernel lock on a file ends with the process, so no stale pid file can remain. Node
 * has no call for such locks, but its SQLite takes one for an exclusive transaction.
 */
export function lockFolder(folder: string, data_dir: string): FolderLock {
  const owner = path.join(folder, 'owner');
  const database = new DatabaseSync(path.join(folder, 'lock'), { open: false, timeout: 0 });
  try {
    database.open();
    // Without a journal, a killed process leaves no extra file behind.
    database.exec('pragma journal_mode = off; begin exclusive');
    writeFileSync(owner, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    if (database.isOpen) database.close();
    throw isBusy(error)
      ? new CannotRun(
          `DATA_DIR ${data_dir} is in use by another Majlis${processOf(owner)}: stop it, or set another DATA_DIR`,
        )
      : new CannotRun(`DATA_DIR ${data_dir} cannot be locked: ${error instanceof Error ? error.message : error}`);
  }
  held.add(database);
  return {
    release() {
      if (held.delete(database)) database.close();
    },
  };
}

const sqliteBusy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}

function processOf(owner: string): string {
  try {
    return ` (process ${readFileSync(owner, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
