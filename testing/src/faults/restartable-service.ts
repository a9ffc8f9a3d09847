import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { operatorToken } from '../operator.ts';
import { type Process, startProcess } from '../start-process.ts';

/** `majlis serve` as an operator starts it. All its processes use one address. */
export interface RestartableService {
  url: string;
  pid(): number;
  /** Starts a process and waits until it is ready. */
  start(): Promise<void>;
  /** Starts a process and does not wait for it. */
  launch(): void;
  ready(): Promise<void>;
  /** Sends SIGKILL and waits for the end of the process. */
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Waits for the end of the process, for a minute by default; `after_ms` counts from this call. */
  ended(within_ms?: number): Promise<{ code: number | null; signal: NodeJS.Signals | null; after_ms: number }>;
  isRunning(): boolean;
  /** The output of all its processes. */
  stdout(): string;
  stderr(): string;
}

/** `env` overrides the shared settings below. */
export async function createRestartableService(env: Record<string, string>): Promise<RestartableService> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const runs: Process[] = [];
  const current = () => runs.at(-1)!;
  const isRunning = () => runs.length > 0 && current().child.exitCode === null && current().child.signalCode === null;

  const majlis: RestartableService = {
    url,
    isRunning,
    pid: () => current().child.pid!,
    launch() {
      runs.push(startProcess('bin/majlis.js', ['serve'], { env: { ...settings, PORT: String(port), ...env } }));
    },
    async ready() {
      for (const end = performance.now() + 60_000; ; await pause(20)) {
        const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
        await answer?.text();
        if (answer?.status === 200) return;
        assert.ok(isRunning(), `the process ended: ${current().stdout()}${current().stderr()}`);
        assert.ok(performance.now() < end, `not ready: ${current().stdout()}${current().stderr()}`);
      }
    },
    async start() {
      majlis.launch();
      await majlis.ready();
    },
    async kill() {
      current().child.kill('SIGKILL');
      await current().ended(20_000);
    },
    signal: (signal) => void current().child.kill(signal),
    async ended(within_ms) {
      const from = performance.now();
      return { ...(await current().ended(within_ms)), after_ms: performance.now() - from };
    },
    stdout: () => runs.map((run) => run.stdout()).join(''),
    stderr: () => runs.map((run) => run.stderr()).join(''),
  };
  return majlis;
}

const settings = {
  OPERATOR_TOKEN: operatorToken,
  SECRET_KEY: 'secret-key-of-the-fault-tests',
  RATE_LIMITS: 'off',
  TEST_CLOCK: '1',
  LOG_LEVEL: 'warn',
};
