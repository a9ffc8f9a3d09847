import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPostmaster, stopPostmaster } from '../../server/src/database/embedded/postmaster.ts';
import { cleanUpAtEnd, within } from './cleanup.ts';
import { eventually } from './eventually.ts';
import { onceWithin } from './once-within.ts';

/** A process of ours and what it wrote. */
export interface Process {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Waits for a text on stdout, for two minutes; fails when the process ends before. */
  says(text: string | RegExp): Promise<RegExpMatchArray>;
  /** Waits for its end, for a minute by default. */
  ended(within_ms?: number): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
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
  const output = { stdout: '', stderr: '' };
  const child = spawn(process.execPath, [...node_args, program, ...args], {
    env: { ...ownSettings(), ...env },
    cwd: tmpdir(),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    // A group of its own, so that a test can signal it as a terminal does.
    detached: true,
    ...user,
  });
  child.on('error', (error) => {
    output.stderr += error.message;
  });
  // It may end before it reads.
  child.stdin?.on('error', () => {}).end(input);
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const end = new Promise<void>((resolve) => void child.on('close', () => resolve()));
  children.add(child);
  cleanUpAtEnd(`the process ${child.pid}`, () => endChild(child));
  return {
    child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    async says(text) {
      const found = () => output.stdout.match(text);
      await eventually(
        found,
        (match) => match !== null || child.exitCode !== null || child.signalCode !== null,
        120_000,
      );
      const match = found();
      if (!match) throw new Error(`it ended without saying ${text}: ${output.stdout}${output.stderr}`);
      return match;
    },
    async ended(within_ms = 60_000) {
      await within(end, within_ms, `the end of ${[file, ...args].join(' ')}`).catch((cause) => {
        throw new Error(`it does not end: ${output.stdout}${output.stderr}`, { cause });
      });
      return { code: child.exitCode, signal: child.signalCode };
    },
  };
}

/** Runs the command line, which must end by itself. */
export async function runMajlis(args: string[], options: StartProcess = {}) {
  const command = startProcess('bin/majlis.js', args, options);
  const { code } = await command.ended(120_000);
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}

/** An empty folder, removed after the test file. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'majlis-'));
  folders.add(folder);
  cleanUpAtEnd(`the folder ${folder}`, () => removeFolder(folder));
  return folder;
}

const children = new Set<ChildProcess>();
const folders = new Set<string>();

/** Ends all before the end of the file. What was ended before is left alone. */
export async function endProcesses(): Promise<void> {
  const ends = await Promise.allSettled([...children].map(endChild));
  const removals = await Promise.allSettled([...folders].map(removeFolder));
  const faults = [...ends, ...removals].flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (faults.length > 0) throw new AggregateError(faults, 'a process or its folder is left');
}

async function endChild(child: ChildProcess): Promise<void> {
  if (!children.delete(child) || child.pid === undefined) return;
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = onceWithin(child, 'exit', 10_000);
  child.kill('SIGKILL');
  await end;
}

/** A database outlives the service that is killed; here it must not outlive the test. */
async function removeFolder(folder: string): Promise<void> {
  if (!folders.delete(folder)) return;
  try {
    for (const file of await readdir(folder, { recursive: true })) {
      if (path.basename(file) === 'postmaster.pid') await endDatabase(path.join(folder, path.dirname(file)));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function endDatabase(cluster: string): Promise<void> {
  const running = await readPostmaster(cluster);
  if (running) await stopPostmaster(cluster, running.pid, 10_000);
}

/** None of the caller's settings: what a test says is all that holds. A run of tests has a folder for temporary files. */
function ownSettings(): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR && { TMPDIR }) };
}
