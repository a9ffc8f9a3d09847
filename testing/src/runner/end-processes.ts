import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Ends all processes whose TMPDIR or working directory lies in the folder, whatever group or session they are in.
 * PostgreSQL is asked first, because a killed one leaves its shared memory. Finds nothing where the system has no /proc.
 */
export async function endProcessesIn(folder: string): Promise<void> {
  const others = (processes: Found[]) => processes.filter(({ name }) => name !== 'postgres');
  // What restarts a database goes before it.
  signal(others(await findProcesses(folder)), 'SIGKILL');
  signal(await findProcesses(folder), 'SIGQUIT');
  for (const end = performance.now() + 5_000; performance.now() < end; await pause(50)) {
    if ((await findProcesses(folder)).length === 0) return;
  }
  for (let tries = 0; tries < 40; tries++) {
    const left = await findProcesses(folder);
    if (left.length === 0) return;
    signal(left, 'SIGKILL');
    await pause(50);
  }
}

interface Found {
  pid: number;
  name: string;
}

async function findProcesses(folder: string): Promise<Found[]> {
  const entries = await readdir('/proc').catch(() => []);
  const pids = entries.map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const found = await Promise.all(pids.map((pid) => findProcess(pid, folder)));
  return found.filter((one) => one !== undefined);
}

async function findProcess(pid: number, folder: string): Promise<Found | undefined> {
  try {
    const inFolder = (path: string) => path === folder || path.startsWith(`${folder}/`);
    // A process that has ended has no working directory, even while it waits for its parent.
    if (!inFolder(await readlink(`/proc/${pid}/cwd`))) {
      const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
      if (!environment.some((entry) => entry.startsWith('TMPDIR=') && inFolder(entry.slice(7)))) return undefined;
    }
    return { pid, name: (await readFile(`/proc/${pid}/comm`, 'utf8')).trim() };
  } catch {
    // It has ended, or belongs to somebody else.
    return undefined;
  }
}

function signal(processes: Found[], name: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended.
    }
  }
}
