import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readPostmaster, stopPostmaster } from '../../server/src/database/embedded/postmaster.ts';
import { eventually } from './eventually.ts';

/** A process of ours and what it wrote. */
export interface Process {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Waits for a text on stdout; fails when the process ends before. */
  says(text: string | RegExp): Promise<RegExpMatchArray>;
  /** Waits for its end. */
  ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface StartProcess {
  env?: Record<string, string>;
  uid?: number;
  gid?: number;
  node_args?: string[];
  /** What it reads on stdin; nothing by default. */
  input?: string;
}

/** Runs a file of the server package with Node; it is killed after the test file at the latest. */
export function startProcess(file: string, args: string[] = [], options: StartProcess = {}): Process {
  const { env = {}, node_args = [], input, ...user } = options;
  const program = fileURLToPath(new URL(`../../server/${file}`, import.meta.url));
  const child = spawn(process.execPath, [...node_args, program, ...args], {
    // None of the caller's settings: what a test says is all that holds.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    cwd: tmpdir(),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    // A group of its own, so that a test can signal it as a terminal does.
    detached: true,
    ...user,
  });
  // It may end before it reads.
  child.stdin?.on('error', () => {}).end(input);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const end = once(child, 'close');
  children.push(child);
  return {
    child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    async says(text) {
      const found = () => output.stdout.match(text);
      await eventually(
        found,
        (match) => match !== null || child.exitCode !== null || child.signalCode !== null,
        60_000,
      );
      const match = found();
      if (!match) throw new Error(`it ended without saying ${text}: ${output.stdout}${output.stderr}`);
      return match;
    },
    async ended() {
      await end;
      return { code: child.exitCode, signal: child.signalCode };
    },
  };
}

/** Runs the command line, which must end by itself. */
export async function runMajlis(args: string[], options: StartProcess = {}) {
  const command = startProcess('bin/majlis.js', args, options);
  const { code } = await command.ended();
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}

/** An empty folder, removed after the test file. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'majlis-'));
  folders.push(folder);
  return folder;
}

const children: ChildProcess[] = [];
const folders: string[] = [];

after(endProcesses);

/** A database outlives the service that is killed; here it must not outlive the test. What was ended before is left alone. */
export async function endProcesses(): Promise<void> {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) {
    for (const file of await readdir(folder, { recursive: true })) {
      if (path.basename(file) === 'postmaster.pid') await endDatabase(path.join(folder, path.dirname(file)));
    }
    await rm(folder, { recursive: true, force: true });
  }
}

async function endDatabase(cluster: string): Promise<void> {
  const running = await readPostmaster(cluster);
  if (running) await stopPostmaster(cluster, running.pid, 10_000);
}
