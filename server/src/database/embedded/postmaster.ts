import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** The contents of PostgreSQL's file postmaster.pid. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Empty if PostgreSQL listens on no socket. */
  socket_dir: string;
  /** `ready` while PostgreSQL takes connections, else `starting`, `stopping` or empty. */
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

/** Whether the pid is a PostgreSQL of this cluster. After a crash of the machine, another process may have the pid. */
export async function isAlive(clusterPath: string, pid: number): Promise<boolean> {
  if (!exists(pid)) return false;
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => ({
      stdout: '',
    }));
    return stdout.includes('postgres');
  }
  // PostgreSQL's working directory is its data directory. A zombie process has none.
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
 * Removes the lock files of a dead PostgreSQL if another process has its pid, as is common in containers. Otherwise
 * PostgreSQL would take that process for its predecessor and would not start. This stays safe: PostgreSQL finds the shared
 * memory of a surviving backend by the folder itself.
 */
export async function clearStale(clusterPath: string, { pid }: Postmaster): Promise<void> {
  if (!exists(pid)) return;
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) await rm(path.join(clusterPath, name), { force: true });
}

/** Stops PostgreSQL with rollbacks and a checkpoint. False if the stop takes longer than `patience_ms`. */
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
