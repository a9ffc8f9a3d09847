import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { within } from '@majlis/testing/cleanup';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { requestOperator } from '@majlis/testing/operator';
import { joinWorkspace, openBrowser, password } from '@majlis/testing/people';
import { seededRandom } from '@majlis/testing/seeded-random';
import type { ProofRun } from '../section.ts';
import { listDoors } from './doors.ts';
import type { Flood } from './flood-doors.ts';

const lookEveryMs = 25;
const quietMs = 6_000;
const mostAnswerMs = 60_000;
// Below this, the turns of the machine decide and not the service.
const floorMs = 10;

/**
 * Floods each door that needs no credential, from many addresses, while half of the clients hang up at once. A person who is
 * signed in looks at the inbox all the time, and does not wait longer than three times as without the floods.
 */
export async function proveStrangers({ seed, count, quick, log }: ProofRun): Promise<string[]> {
  const random = seededRandom(seed);
  const environment = await createFaultEnvironment({ seed });
  const majlis = await environment.majlis({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMITS: 'off' });
  await majlis.start();
  const { url } = majlis;
  const operator = (method: string, path: string, body?: unknown) => requestOperator(url, method, path, body);
  const { body: applied } = await operator('PUT', '/workspaces', { workspace: { name: 'Acme' } });
  const person = await joinWorkspace({ url, operator }, { id: applied.workspace.id, applied });
  const look = async () => {
    const { status } = await within(person.at('GET', '/conversations'), mostAnswerMs, 'the inbox');
    return status;
  };

  const faults: string[] = [];
  const doors = listDoors();
  const flooder = new Worker(new URL('flood-doors.ts', import.meta.url));
  const flood = (door: number, lasts_ms: number) =>
    sendFlood(flooder, { url, door, seed: random.between(0, seed), lasts_ms });
  // The first visitor of some pages loads them, once.
  for (const door of doors.keys()) await flood(door, 1);
  const quiet = await watch(look, pause(quietMs));
  const times: number[] = [];
  let slowest = { name: '', ms: 0 };
  for (const [place, door] of doors.entries()) {
    const flooding = flood(place, count * 1000);
    const { ms, statuses } = await watch(look, flooding);
    times.push(...ms);
    if ((await flooding) === 0) faults.push(`${door.name}: no knock was answered`);
    const worst = quantile(ms, 0.99);
    if (worst > slowest.ms) slowest = { name: door.name, ms: worst };
    for (const status of statuses)
      if (status !== 200) faults.push(`${door.name}: the person's look was answered ${status}`);
  }
  const after = await watch(look, pause(quietMs));
  await flooder.terminate();
  const signingIn = openBrowser({ url }).post('/sign-in', { email: person.email, password });
  const { status } = await within(signingIn, mostAnswerMs, 'the sign-in after the floods');
  if (status !== 200) faults.push(`a sign-in after the floods was answered ${status}`);

  const [without, during] = [quantile([...quiet.ms, ...after.ms], 0.99), quantile(times, 0.99)];
  log(`${doors.length} doors, ${times.length} looks: p99 ${round(during)} ms, ${round(without)} ms without floods`);
  log(`the slowest door: ${slowest.name} with ${round(slowest.ms)} ms`);
  // In a short run the floods and the service share the processors, and the figure tells of the machine.
  if (!quick && during > 3 * Math.max(without, floorMs))
    faults.push(`a person waits ${round(during)} ms, and ${round(without)} ms without`);
  return faults;
}

/** Looks in an open loop until `end`. Answers the times in milliseconds, from the moment when each look was due. */
async function watch(
  look: () => Promise<number>,
  end: Promise<unknown>,
): Promise<{ ms: number[]; statuses: Set<number> }> {
  const ms: number[] = [];
  const statuses = new Set<number>();
  const looks: Promise<void>[] = [];
  let isOver = false;
  const ending = end.finally(() => {
    isOver = true;
  });
  for (let due = performance.now(); !isOver; due += lookEveryMs) {
    await pause(Math.max(0, due - performance.now()));
    looks.push(
      look().then((status) => {
        statuses.add(status);
        ms.push(performance.now() - due);
      }),
    );
  }
  await Promise.all([...looks, ending]);
  return { ms, statuses };
}

/** Ends with the last client. Resolves with the number of knocks that were answered. */
async function sendFlood(flooder: Worker, flood: Flood): Promise<number> {
  flooder.postMessage(flood);
  const [answered] = await once(flooder, 'message');
  return answered;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
