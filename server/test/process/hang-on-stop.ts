import pino from 'pino';
import { runUntilStopped } from '../../src/commands/run-until-stopped.ts';

// A service whose stop never comes to its end.
await runUntilStopped(pino({ level: 'silent' }), async () => {
  process.stdout.write('here\n');
  setInterval(() => {}, 60_000);
  return { stop: () => new Promise(() => {}) };
});
