import { type ChildProcessByStdio, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';

export type LimitedProcess = ChildProcessByStdio<Writable, Readable, null>;

export interface ProcessLimits {
  /** What the program may take beyond an idle Node.js. */
  memory_mb: number;
  cpu_seconds: number;
}

// One thread beside the main one, and a small young generation.
const leanFlags = ['--v8-pool-size=1', '--max-semi-space-size=4'];
// An empty environment: the program learns no setting and no secret.
const environment = { env: {}, cwd: '/' };
let idleData: Promise<number | undefined> | undefined;

/**
 * Runs a program of Node.js in a child process whose limits the operating system enforces, also after this process was
 * killed. Linux limits all memory of the child, other systems its heap alone. A child beyond a limit ends by a signal.
 */
export async function spawnLimited(
  program: string,
  args: readonly string[],
  { memory_mb, cpu_seconds }: ProcessLimits,
): Promise<LimitedProcess> {
  idleData ??= measureIdleData();
  const idle_kb = await idleData;
  const dataLimit = idle_kb === undefined ? '' : `ulimit -d ${idle_kb + memory_mb * 1_024};`;
  const script = `ulimit -c 0; ulimit -t ${cpu_seconds}; ${dataLimit} exec "$0" "$@"`;
  const command = [process.execPath, ...leanFlags, `--max-old-space-size=${memory_mb}`, program, ...args];
  const options = { ...environment, stdio: ['pipe', 'pipe', 'ignore'] } satisfies SpawnOptions;
  const child = spawn('/bin/sh', ['-c', script, ...command], options) as LimitedProcess;
  child.once('spawn', () => yieldTo(child));
  return child;
}

/** Requests of people come first. */
function yieldTo({ pid }: LimitedProcess): void {
  try {
    setPriority(pid!, 10);
  } catch {
    // The child has ended, or the system does not allow it.
  }
}

/**
 * The data segment of an idle Node.js in KiB, which the limit counts too. Most of it is a reservation of V8 for machine
 * code, whose size depends on the processor. Undefined outside of Linux.
 */
async function measureIdleData(): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const script = "process.stdout.write(require('node:fs').readFileSync('/proc/self/status'))";
  const run = promisify(execFile)(process.execPath, [...leanFlags, '-e', script], environment);
  const { stdout } = await run.catch((error) => {
    idleData = undefined;
    throw error;
  });
  const data = /^VmData:\s+(\d+) kB$/m.exec(stdout)?.[1];
  return data === undefined ? undefined : Number(data);
}
