import { type ChildProcess, spawn } from 'node:child_process';
import { cleanUp, within } from './cleanup.ts';

export interface Ended {
  code: number | null;
  output: string;
}

/** Runs a program of the machine to its end. Fails where the machine has no such program. */
export async function runProgram(
  program: string,
  args: string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): Promise<Ended> {
  return within(launchProgram(program, args, options).ended, 240_000, `the end of ${program}`);
}

/** Starts a program of the machine, which is stopped after the test file. */
export function launchProgram(
  program: string,
  args: string[],
  { env = {}, cwd }: { env?: Record<string, string>; cwd?: string } = {},
): { child: ChildProcess; output(): string; ended: Promise<Ended> } {
  const child = spawn(program, args, {
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, HOME: process.env.HOME, ...temporaryFolder(), ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
  ended.catch(() => {});
  const stop = async (signal: NodeJS.Signals, within_ms: number) => {
    child.kill(signal);
    await within(
      ended.catch(() => {}),
      within_ms,
      `the end of ${program} by ${signal}`,
    );
  };
  cleanUp(program, () => stop('SIGTERM', 8_000).catch(() => stop('SIGKILL', 8_000)));
  return { child, output: () => output, ended };
}

/** A run of tests has a folder for temporary files. */
function temporaryFolder(): Record<string, string> {
  const { TMPDIR } = process.env;
  return TMPDIR ? { TMPDIR } : {};
}
