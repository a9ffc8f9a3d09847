import { constants } from 'node:os';
import type { Logger } from 'pino';

// A signal must end the process within 15 s (operating.md), even if work hangs.
const hardExitMs = 14_000;
// Under npm, Ctrl-C arrives twice within milliseconds, from the terminal and from npm. Both count as one signal.
const sameSignalMs = 1_000;

/**
 * Starts a service, keeps it running until SIGTERM, SIGINT or SIGHUP, stops it, and exits with 0. A second signal ends the
 * process at once. Never resolves; rejects if the start fails.
 */
export async function runUntilStopped(log: Logger, start: () => Promise<{ stop(): Promise<void> }>): Promise<never> {
  const signal = firstSignal();
  endOnFault(log);
  const running = await start();
  log.info(`${await signal}: stopping`);
  await running.stop();
  process.exit(0);
}

/** Listens from the call on, so that a signal during the start counts. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const hear = (signal: NodeJS.Signals) => {
      if (first === undefined) {
        first = performance.now();
        setTimeout(() => process.exit(1), hardExitMs).unref();
        resolve(signal);
      } else if (performance.now() - first > sameSignalMs) {
        process.exit(128 + constants.signals[signal]);
      }
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, hear);
  });
}

/**
 * Ends the process after an uncaught error, which leaves it in an unknown state. The next start recovers its work. Node's
 * own report would show the values that errors carry (hazard H102).
 */
function endOnFault(log: Logger): void {
  const end = (error: unknown) => {
    log.fatal({ err: error }, 'uncaught error: the process ends');
    process.exit(1);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
