import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { EventEnvelope } from '@majlis/sdk';
import { newSecret } from '../../webhook-endpoints/new-secret.ts';
import { Failure } from '../failure.ts';
import { replaceFile } from '../profiles.ts';

/** An event that the receiver refused. It is kept here, because the position moves on without it. */
export interface WaitingEvent {
  event: EventEnvelope;
  attempts: number;
  /** Milliseconds of the real time. */
  next_at: number;
}

/** All that a listener must know after a crash. */
export interface ListenerState {
  workspace_id: string;
  /** Signs what is forwarded. It stays the same, so that the receiver's settings stay right. */
  secret: string;
  /** The place in the feed, from which the next page is read, or `oldest`. Undefined before the first start. */
  position: string | undefined;
  /** The events of that page that the receiver has confirmed. */
  confirmed: string[];
  waiting: WaitingEvent[];
}

/** The file of a listener: one for each profile. */
export function stateFile(name: string): string {
  const folder = process.env.XDG_STATE_HOME || path.join(homedir(), '.local/state');
  return path.join(folder, 'majlis', `listen-${name}.json`);
}

/** The state of the last listener of this name, or that of a new one. The position of another workspace is no position. */
export async function readState(file: string, workspace_id: string): Promise<ListenerState> {
  const fresh = { workspace_id, secret: newSecret(), position: undefined, confirmed: [], waiting: [] };
  const content = await readFile(file, 'utf8').catch(ifMissing);
  if (content === undefined) return fresh;
  let stored: ListenerState;
  try {
    stored = JSON.parse(content);
  } catch {
    throw new Failure('failed', `${file} is damaged. Without it, majlis listen begins anew with another secret.`);
  }
  return stored.workspace_id === workspace_id ? stored : { ...fresh, secret: stored.secret };
}

/** The secret of the listener, which a first call makes. A listener that runs has its file, which stays as it is. */
export async function readSecret(file: string, workspace_id: string): Promise<string> {
  const state = await readState(file, workspace_id);
  if (!existsSync(file)) await writeState(file, state);
  return state.secret;
}

export function writeState(file: string, state: ListenerState): Promise<void> {
  return replaceFile(file, `${JSON.stringify(state)}\n`);
}

/** Two listeners with one position would forward events twice. Returns how to let the next one in. */
export async function lockState(file: string): Promise<() => Promise<void>> {
  const lock = `${file}.lock`;
  const own = `${process.pid} ${await startOf(process.pid)}`;
  const fresh = `${lock}.${randomUUID()}`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(fresh, own, { mode: 0o600 });
  try {
    for (;;) {
      const isOurs = await link(fresh, lock).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
          return false;
        },
      );
      if (isOurs) return () => rm(lock, { force: true });
      await removeStale(lock);
    }
  } finally {
    await rm(fresh, { force: true });
  }
}

async function removeStale(lock: string): Promise<void> {
  const holder = await readFile(lock, 'utf8').catch(ifMissing);
  if (holder === undefined) return;
  const pid = Number(holder.split(' ')[0]);
  if (holder === `${pid} ${await startOf(pid)}` && isAlive(pid)) {
    throw new Failure(
      'conflict',
      `Process ${pid} listens with this profile already. Another receiver needs another profile: majlis login --profile NAME.`,
    );
  }
  // Of several that find it stale, one moves it away.
  const aside = `${lock}.${randomUUID()}`;
  await rename(lock, aside).catch(ifMissing);
  await rm(aside, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Tells a process from a later one with the same number, where the system has /proc. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in brackets, may have spaces.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
