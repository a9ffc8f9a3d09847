import { type ChildProcess, spawn } from 'node:child_process';
import { after } from 'node:test';

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
  return launchProgram(program, args, options).ended;
}

/** Starts a program of the machine, which is stopped after the test file. */
export function launchProgram(
  program: string,
  args: string[],
  { env = {}, cwd }: { env?: Record<string, string>; cwd?: string } = {},
): { child: ChildProcess; output(): string; ended: Promise<Ended> } {
  const child = spawn(program, args, {
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, HOME: process.env.HOME, ...env },
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
  after(async () => {
    child.kill('SIGTERM');
    await ended.catch(() => {});
  });
  return { child, output: () => output, ended };
}
