import { runUntilStopped } from '../../src/commands/run-until-stopped.ts';
import { createLog } from '../../src/process/log.ts';

// A service in which an error that carries a secret is caught by nobody.
await runUntilStopped(createLog('info'), async () => {
  setImmediate(() => {
    throw Object.assign(new Error('nobody expected this'), { detail: 'canary-secret' });
  });
  return { stop: async () => {} };
});
