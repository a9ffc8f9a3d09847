import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { CannotRun } from './cannot-run.ts';

/** Creates DATA_DIR if it is missing, and checks that it is writable. */
export function prepareDataDir(dataDir: string): Promise<void> {
  return inDataDir(dataDir, async () => {
    await makeFolder(dataDir);
    const probe = path.join(dataDir, `.probe-${randomUUID()}`);
    const file = await open(probe, 'w', 0o600);
    await file.close();
    await rm(probe);
  });
}

/** Replaces Node's recursive mkdir, which never returns below /proc. */
async function makeFolder(folder: string): Promise<void> {
  if ((await stat(folder).catch(ifMissing))?.isDirectory()) return;
  const parent = path.dirname(folder);
  if (parent !== folder) await makeFolder(parent);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Another process may have created the folder.
    if (error.code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  });
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Runs `work` on files below DATA_DIR. An error of the file system becomes a CannotRun that names the setting. */
export async function inDataDir<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? reasons[String(error.code)] : undefined;
    if (reason === undefined) throw error;
    const file = error instanceof Error && 'path' in error ? ` (${error.path})` : '';
    throw new CannotRun(`DATA_DIR ${dataDir} cannot be used: ${reason}${file}`, { cause: error });
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'it cannot be made',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  EIO: 'the disk reports an error',
};
