import type { Socket } from 'node:net';
import { buildConnector, Pool } from 'undici';
import { bytesOf } from './count-bytes.ts';

export interface LoadResult {
  requests: number;
  seconds: number;
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  /** Answers by status. */
  statuses: Record<number, number>;
  /** Over HTTP, both ways. */
  bytes: number;
}

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/**
 * A closed loop: each of `connections` makes one request after the other, for `seconds` or until `requests` are made.
 * Measures every answer.
 */
export async function load(options: {
  url: string;
  connections: number;
  seconds?: number;
  requests?: number;
  /** The time it takes is not measured. */
  next: (n: number) => LoadRequest | Promise<LoadRequest>;
}): Promise<LoadResult> {
  const { url, connections, seconds = Infinity, requests = Infinity, next } = options;
  const sockets: Socket[] = [];
  const pool = new Pool(url, { connections, pipelining: 1, connect: connectorInto(sockets) });
  const times: number[] = [];
  const statuses: Record<number, number> = {};
  let sent = 0;
  const start = performance.now();
  const end = start + seconds * 1000;

  async function keepBusy(): Promise<void> {
    while (performance.now() < end && sent < requests) {
      const request = await next(sent++);
      const before = performance.now();
      const status = await ask(pool, request);
      times.push(performance.now() - before);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }
  await Promise.all(Array.from({ length: connections }, keepBusy));
  const elapsed = (performance.now() - start) / 1000;
  const bytes = sockets.reduce((sum, socket) => sum + bytesOf(socket), 0);
  await pool.close();
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    seconds: elapsed,
    per_second: times.length / elapsed,
    p50_ms: quantile(times, 0.5),
    p99_ms: quantile(times, 0.99),
    statuses,
    bytes,
  };
}

/** The status of the complete answer. Without a stream for its bytes the client saves a third of its time. */
function ask(pool: Pool, request: LoadRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    pool.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData() {},
      onResponseEnd: () => resolve(status),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}

/** Fails unless all answers have this status: figures of failures mean nothing. */
export function assertAll({ statuses }: LoadResult, status: number): void {
  if (Object.keys(statuses).some((other) => Number(other) !== status)) {
    throw new Error(`not every answer was ${status}: ${JSON.stringify(statuses)}`);
  }
}

function connectorInto(sockets: Socket[]): buildConnector.connector {
  const connect = buildConnector({});
  return (options, callback) =>
    connect(options, (...answer) => {
      if (answer[1]) sockets.push(answer[1]);
      callback(...answer);
    });
}

function quantile(sorted: number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}
