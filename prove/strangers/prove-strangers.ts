import { setTimeout as pause } from 'node:timers/promises';
import { within } from '@majlis/testing/cleanup';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { requestOperator } from '@majlis/testing/operator';
import { joinWorkspace, openBrowser, password } from '@majlis/testing/people';
import { type SeededRandom, seededRandom } from '@majlis/testing/seeded-random';
import type { ProofRun } from '../section.ts';
import { type Door, listDoors } from './doors.ts';

const lookEveryMs = 25;
const knockEveryMs = 10;
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
  // The first visitor of some pages loads them, once.
  for (const door of doors) await flood(url, door, random, knockEveryMs);
  const quiet = await watch(look, pause(quietMs));
  const times: number[] = [];
  let slowest = { name: '', ms: 0 };
  for (const door of doors) {
    const { ms, statuses } = await watch(look, flood(url, door, random, count * 1000));
    times.push(...ms);
    const worst = quantile(ms, 0.99);
    if (worst > slowest.ms) slowest = { name: door.name, ms: worst };
    for (const status of statuses)
      if (status !== 200) faults.push(`${door.name}: the person's look was answered ${status}`);
  }
  const after = await watch(look, pause(quietMs));
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

async function flood(url: string, door: Door, random: SeededRandom, lasts_ms: number): Promise<void> {
  const knocks: Promise<unknown>[] = [];
  const from = performance.now();
  for (let due = from; due < from + lasts_ms; due += knockEveryMs) {
    await pause(Math.max(0, due - performance.now()));
    const { method, path, headers, body } = door.knock(random);
    const address = `10.${random.between(0, 255)}.${random.between(0, 255)}.${random.between(1, 254)}`;
    const patience_ms = random.next() < 0.5 ? 5 : 10_000;
    const knock = fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...headers, 'x-forwarded-for': address },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(patience_ms),
    });
    knocks.push(knock.then((response) => response.arrayBuffer()).catch(() => undefined));
  }
  await Promise.all(knocks);
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
