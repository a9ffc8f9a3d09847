import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** What PostgreSQL's main process says of itself in the file postmaster.pid. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Empty when it listens on no socket. */
  socket_dir: string;
  /** `ready` when it takes connections; before and after that `starting`, `stopping` or nothing. */
  status: string;
}

export async function readPostmaster(clusterPath: string): Promise<Postmaster | undefined> {
  const text = await readFile(path.join(clusterPath, 'postmaster.pid'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    },
  );
  // pid, data directory, start time, port, socket directory, address, shared memory, status
  const lines = text?.split('\n').map((line) => line.trim()) ?? [];
  const pid = Number(lines[0]);
  if (!pid) return undefined;
  return { pid, port: Number(lines[3]), socket_dir: lines[4] ?? '', status: lines[7] ?? '' };
}

/** Whether this process is a PostgreSQL of this cluster: after a crash of the machine another may bear its pid. */
export async function isAlive(clusterPath: string, pid: number): Promise<boolean> {
  if (!exists(pid)) return false;
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => ({
      stdout: '',
    }));
    return stdout.includes('postgres');
  }
  // PostgreSQL works in its data directory. A process that is gone but not yet waited for works nowhere.
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return folder !== undefined && folder === (await realpath(clusterPath));
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Removes the lock files of a PostgreSQL that is gone when another process bears its pid, as is common in containers:
 * PostgreSQL would take that process for its predecessor and not start. A backend that outlived it still holds the
 * shared memory, which PostgreSQL finds by the folder itself, so two of them never work on one cluster.
 */
export async function clearStale(clusterPath: string, { pid }: Postmaster): Promise<void> {
  if (!exists(pid)) return;
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) await rm(path.join(clusterPath, name), { force: true });
}

/** Ends PostgreSQL: open transactions are rolled back, a checkpoint is written. False when that takes longer. */
export async function stopPostmaster(clusterPath: string, pid: number, patience_ms: number): Promise<boolean> {
  if (!(await isAlive(clusterPath, pid))) return true;
  process.kill(pid, 'SIGINT');
  const end = performance.now() + patience_ms;
  while (await isAlive(clusterPath, pid)) {
    if (performance.now() > end) return false;
    await pause(10);
  }
  return true;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
