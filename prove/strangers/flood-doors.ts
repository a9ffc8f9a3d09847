import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { type SeededRandom, seededRandom } from '@majlis/testing/seeded-random';
import { type Door, listDoors } from './doors.ts';

const knockEveryMs = 10;
const hangsUpAfterMs = 5;
const patienceMs = 10_000;

/** A flood at one door. The clients come from many addresses, and half of them hang up at once. */
export interface Flood {
  url: string;
  /** The place of the door in `listDoors()`. */
  door: number;
  seed: number;
  lasts_ms: number;
}

// In a thread of its own, the answers that it reads do not delay the looks of the person, which are measured beside it.
const doors = listDoors();
const agent = new Agent({ keepAlive: true });
parentPort!.on('message', async ({ url, door, seed, lasts_ms }: Flood) => {
  const random = seededRandom(seed);
  const knocks: Promise<boolean>[] = [];
  const from = performance.now();
  for (let due = from; due < from + lasts_ms; due += knockEveryMs) {
    await pause(Math.max(0, due - performance.now()));
    knocks.push(knock(url, doors[door]!, random));
  }
  const answers = await Promise.all(knocks);
  parentPort!.postMessage(answers.filter((isAnswered) => isAnswered).length);
});

/** Says whether the service answered before the client hung up. */
async function knock(url: string, door: Door, random: SeededRandom): Promise<boolean> {
  const { method, path, headers, body } = door.knock(random);
  const address = `10.${random.between(0, 255)}.${random.between(0, 255)}.${random.between(1, 254)}`;
  const patience_ms = random.next() < 0.5 ? hangsUpAfterMs : patienceMs;
  const sent = request(`${url}${path}`, {
    method,
    agent,
    headers: { 'accept-encoding': 'gzip', ...headers, 'x-forwarded-for': address },
    signal: AbortSignal.timeout(patience_ms),
  });
  let isAnswered = false;
  sent.on('response', (answer) => {
    isAnswered = true;
    answer.resume();
  });
  // A client that hangs up, and a connection that the service ends, are over as well.
  sent.on('error', () => undefined);
  const closed = new Promise<void>((close) => sent.on('close', close));
  sent.end(body);
  await closed;
  return isAnswered;
}
