import { Pool } from 'undici';

export interface OpenLoadResult {
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  slowest_ms: number;
  /** Answers that were no success. */
  failed: number;
}

/**
 * Asks so many times a second, whether the answers have come or not. A time begins when the request was due: one that waits for a
 * connection waits in the figure too.
 */
export async function openLoad(options: {
  url: string;
  connections: number;
  per_second: number;
  seconds: number;
  headers: Record<string, string>;
  path: (n: number) => string;
}): Promise<OpenLoadResult> {
  const { url, connections, per_second, seconds, headers, path } = options;
  const pool = new Pool(url, { connections, pipelining: 1 });
  const times: number[] = [];
  let failed = 0;
  const start = performance.now();

  async function ask(n: number): Promise<void> {
    const due = start + (n * 1000) / per_second;
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    const { statusCode, body } = await pool.request({ method: 'GET', path: path(n), headers });
    await body.dump();
    if (statusCode !== 200) failed++;
    times.push(performance.now() - due);
  }
  await Promise.all(Array.from({ length: per_second * seconds }, (_, n) => ask(n)));
  await pool.close();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
  return { p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99), slowest_ms: at(1), failed };
}
