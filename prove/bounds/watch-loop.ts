import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Preloaded by the service of the proof. Each turn of the event loop that takes long is a line of the file LOOP_STOPS. Processor
// time counts, and not the clock: a busy machine stops every process.
const file = process.env.LOOP_STOPS;
const notable_ms = 20;

if (isMainThread && file) {
  let last = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    const ms = (user + system) / 1000;
    if (ms > notable_ms) appendFileSync(file, `${Math.round(ms)}\n`);
    last = process.threadCpuUsage();
  }, 1).unref();
}
