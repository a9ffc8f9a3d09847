import { spawn } from 'node:child_process';

/** `passed`, `hung`, or which test failed. */
export type Verdict = string;

/** Runs a test file in a folder until its first failure. What hangs is killed with its children. */
export function runTest(file: string, folder: string, env: NodeJS.ProcessEnv, most_ms: number): Promise<Verdict> {
  const flags = ['--test-force-exit', '--test-reporter=tap'];
  const child = spawn(process.execPath, [...flags, file], { cwd: folder, env, detached: true });
  let verdict: Verdict | undefined;
  const end = (reason: Verdict) => {
    verdict ??= reason;
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };
  const timer = setTimeout(() => end('hung'), most_ms);
  let line = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (line + text).split('\n');
    line = lines.pop()!;
    const failure = lines.find((one) => /^\s*not ok /.test(one));
    if (failure) end(failure.trim());
  });
  child.stderr.resume();
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      end(code === 0 ? 'passed' : 'failed');
      resolve(verdict!);
    });
  });
}
