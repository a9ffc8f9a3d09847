import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Preloaded by the service of `soak`. A heap that is cleaned in its own time grows by what nobody uses: what its memory holds
// after a collection is what it needs.
const every_ms = 4_000;

if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  setInterval(collect, every_ms).unref();
}
