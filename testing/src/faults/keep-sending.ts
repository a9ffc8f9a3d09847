import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createApi } from '../api.ts';
import { repeat } from '../repeat.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { FaultWorkspace } from './fault-workspace.ts';
import { silentNumber } from './silent-number.ts';

/** A send that was answered 201. */
export interface Acknowledged {
  id: string;
  idempotency_key: string;
  request: { to: string; kind: string; body?: string; template?: { name: string; language: string } };
}

export interface Sending {
  acknowledged: Acknowledged[];
  /** How often each status was answered, and how often none was. */
  answers: Record<string, number>;
  /** The slowest answer, or none, in milliseconds. */
  slowest_ms: number;
  /** Begins no more, and waits until each send that was begun is acknowledged. */
  stop(): Promise<void>;
}

export interface KeepSending {
  url: string;
  workspace: FaultWorkspace;
  random: SeededRandom;
  clients?: number;
  /** The share that goes to the number of which the platform reports nothing; without it, none. */
  silent?: number;
}

/**
 * Clients that send one message after the other, each under a key of its own, and ask again with the same key until
 * they are told that it was accepted: texts to those who have written, templates to numbers that nobody knows yet.
 */
export function keepSending({ url, workspace, random, clients = 6, silent = 0 }: KeepSending): Sending {
  const sending: Sending = { acknowledged: [], answers: {}, slowest_ms: 0, stop };
  let over = false;
  // A failed test waits for no acknowledgement.
  after(() => {
    over = true;
  });

  async function sendOne(): Promise<void> {
    const request = silent > 0 && random.next() < silent ? greeting(silentNumber) : newRequest(workspace, random);
    const idempotency_key = randomUUID();
    const id = await untilAccepted(request, idempotency_key);
    if (id) sending.acknowledged.push({ id, idempotency_key, request });
    await pause(random.between(0, 40));
  }

  async function untilAccepted(request: Acknowledged['request'], idempotency_key: string): Promise<string | undefined> {
    while (!over) {
      const from = performance.now();
      const reply = await attemptSend(url, workspace.key, { request, idempotency_key });
      sending.slowest_ms = Math.max(sending.slowest_ms, performance.now() - from);
      sending.answers[reply.status] = (sending.answers[reply.status] ?? 0) + 1;
      if (reply.id) return reply.id;
      await pause(random.between(10, 50));
    }
    return undefined;
  }

  const stops = Array.from({ length: clients }, () => repeat(sendOne));
  async function stop(): Promise<void> {
    await Promise.all(stops.map((stopOne) => stopOne()));
  }
  return sending;
}

/** One attempt; `status` names the code of a refusal, and of the error where no answer came. */
export async function attemptSend(
  url: string,
  key: string,
  { request, idempotency_key }: Pick<Acknowledged, 'request' | 'idempotency_key'>,
): Promise<{ status: string; id?: string }> {
  try {
    const headers = { 'idempotency-key': idempotency_key };
    const { status, body } = await createApi(url, key).post('/messages', request, headers);
    return status === 201 && body.id ? { status: '201', id: body.id } : { status: `${status} ${body.code}` };
  } catch (error) {
    return { status: `none ${(error as { cause?: { code?: string } }).cause?.code}` };
  }
}

function newRequest({ customers }: FaultWorkspace, random: SeededRandom): Acknowledged['request'] {
  if (random.next() < 0.7) return { to: `+${random.pick(customers)}`, kind: 'text', body: randomUUID() };
  return greeting(`+9689130${random.between(1000, 9999)}`);
}

function greeting(to: string): Acknowledged['request'] {
  return { to, kind: 'template', template: { name: 'order_ready', language: 'en' } };
}
