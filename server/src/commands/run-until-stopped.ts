import { constants } from 'node:os';
import type { Logger } from 'pino';

// A signal must end the process within 15 s, whatever hangs.
const hardExitMs = 14_000;
// Ctrl-C under npm comes twice within milliseconds, from the terminal and from npm: that is one wish, not two.
const sameSignalMs = 1_000;

/**
 * Starts something, keeps it running until SIGTERM, SIGINT or SIGHUP, and stops it: exit code 0. A second signal ends
 * the process at once. Never answers; rejects where the start fails.
 */
export async function runUntilStopped(log: Logger, start: () => Promise<{ stop(): Promise<void> }>): Promise<never> {
  const signal = firstSignal();
  endOnFault(log);
  const running = await start();
  log.info(`${await signal}: stopping`);
  await running.stop();
  process.exit(0);
}

/** Listens from the call on: a signal that comes during the start is not lost. */
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

/** What nobody caught has left the process in an unknown state: it ends, and a start recovers what it left. Node's own
 * report would show the values that errors carry (hazard H102). */
function endOnFault(log: Logger): void {
  const end = (error: unknown) => {
    log.fatal({ err: error }, 'uncaught error: the process ends');
    process.exit(1);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
