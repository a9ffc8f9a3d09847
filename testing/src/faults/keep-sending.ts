import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createApi } from '../api.ts';
import { cleanUp } from '../cleanup.ts';
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
  /** The number of answers by status, and of failed calls by error code. */
  answers: Record<string, number>;
  /** The longest time of a call. */
  slowest_ms: number;
  /** Starts no more sends and waits for the acknowledgement of those under way. */
  stop(): Promise<void>;
}

export interface KeepSending {
  url: string;
  workspace: FaultWorkspace;
  random: SeededRandom;
  clients?: number;
  /** The share of sends to the silent number, from 0 to 1; by default 0. */
  silent?: number;
}

/**
 * Clients that send one message after the other. Each send has its own idempotency key and is repeated with that key
 * until it is acknowledged. Known customers get texts, new numbers get templates.
 */
export function keepSending({ url, workspace, random, clients = 6, silent = 0 }: KeepSending): Sending {
  const sending: Sending = { acknowledged: [], answers: {}, slowest_ms: 0, stop };
  let over = false;
  // A failed test waits for no acknowledgement.
  cleanUp('the clients', () => {
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

/** One attempt. `status` holds the HTTP status and the refusal's code, or `none` and the network error. */
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
