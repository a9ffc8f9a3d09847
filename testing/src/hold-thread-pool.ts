import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, open, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cleanUp } from './cleanup.ts';

const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);

/**
 * Holds all threads of this process's pool, in which passwords are hashed, until the returned function is called: each thread opens a
 * pipe that nobody writes to.
 */
export function holdThreadPool(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'majlis-threads-'));
  const pipes = Array.from({ length: threads }, (_, n) => path.join(folder, String(n)));
  execFileSync('mkfifo', pipes);
  for (const pipe of pipes) {
    open(pipe, 'r', (error, descriptor) => {
      if (!error) closeSync(descriptor);
    });
  }
  let isHeld = true;
  function release(): void {
    if (!isHeld) return;
    isHeld = false;
    for (const pipe of pipes) closeSync(openSync(pipe, constants.O_RDWR));
    rmSync(folder, { recursive: true });
  }
  cleanUp('held threads', release);
  return release;
}
