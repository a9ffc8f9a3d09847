import { Pool } from 'undici';

export interface LoadResult {
  requests: number;
  seconds: number;
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  /** Answers by status. */
  statuses: Record<number, number>;
}

export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Keeps `connections` busy for `seconds`, one request after the other on each, and measures every answer. */
export async function load(options: {
  url: string;
  connections: number;
  seconds: number;
  next: (n: number) => LoadRequest;
}): Promise<LoadResult> {
  const { url, connections, seconds, next } = options;
  const pool = new Pool(url, { connections, pipelining: 1 });
  const times: number[] = [];
  const statuses: Record<number, number> = {};
  let sent = 0;
  const start = performance.now();
  const end = start + seconds * 1000;

  async function keepBusy(): Promise<void> {
    while (performance.now() < end) {
      const request = next(sent++);
      const before = performance.now();
      const answer = await pool.request(request);
      await answer.body.dump();
      times.push(performance.now() - before);
      statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
    }
  }
  await Promise.all(Array.from({ length: connections }, keepBusy));
  const elapsed = (performance.now() - start) / 1000;
  await pool.close();
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    seconds: elapsed,
    per_second: times.length / elapsed,
    p50_ms: quantile(times, 0.5),
    p99_ms: quantile(times, 0.99),
    statuses,
  };
}

/** Figures of anything but success would say nothing. */
export function assertAll({ statuses }: LoadResult, status: number): void {
  if (Object.keys(statuses).some((other) => Number(other) !== status)) {
    throw new Error(`not every answer was ${status}: ${JSON.stringify(statuses)}`);
  }
}

function quantile(sorted: number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}
