import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { CannotRun } from '../../process/cannot-run.ts';
import type { Account } from './choose-account.ts';

/** Runs a program to its end. `output` contains both of its streams. */
export function runProgram(
  file: string,
  args: string[],
  { input = '', ...where }: RunWhere & { input?: string },
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawnProgram(file, args, where, { stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', (error) => reject(explainSpawn(error, file, where)));
    child.on('close', (code) => resolve({ code, output }));
    // A program may end without reading its input. Its exit code decides.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

export interface RunWhere {
  account: Account | undefined;
  cwd: string;
}

/** Starts a program without our environment: no PG* variable changes it, and `ps` shows no secret. */
export function spawnProgram(file: string, args: string[], where: RunWhere, options: SpawnOptions): ChildProcess {
  const { account, cwd } = where;
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  try {
    return spawn(file, args, { ...options, cwd, env, ...(account && { uid: account.uid, gid: account.gid }) });
  } catch (error) {
    throw explainSpawn(error as Error, file, where);
  }
}

/**
 * The path of the folder `cwd` for a program that runs in it. An account without access to a parent folder (such as /root)
 * still reaches it by this name, because the kernel resolves it from the process's working directory.
 */
export function ownFolder({ account, cwd }: RunWhere): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : cwd;
}

/** Explains ENOENT for an existing program: it was built for glibc, and this system has another libc. */
export function explainSpawn(error: NodeJS.ErrnoException, file: string, { account }: RunWhere): CannotRun {
  if (error.code === 'ENOENT' && existsSync(file)) {
    return new CannotRun(
      'the PostgreSQL that comes with Majlis needs glibc, which this system (Alpine?) does not have: set DATABASE_URL to a PostgreSQL 15 or newer',
      { cause: error },
    );
  }
  const user = account ? ` as user ${account.uid}, for it does not run as root` : '';
  return new CannotRun(`PostgreSQL cannot be started${user} (${error.message}): set DATABASE_URL to use another one`, {
    cause: error,
  });
}
