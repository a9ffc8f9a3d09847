import { Worker } from 'node:worker_threads';
import type { Document } from './extract-text.ts';
import type { Extraction } from './extraction-worker.ts';
import { UnreadableSource } from './unreadable-source.ts';

const timeoutMs = 60_000;
const memoryMb = 512;

/**
 * Extracts the text of a document in a worker thread with limits of time and memory: a malicious document must not block
 * the service. Throws UnreadableSource.
 */
export function extractInWorker({ bytes, content_type }: Document): Promise<string> {
  const thread = new Worker(new URL('./extraction-worker.ts', import.meta.url), {
    workerData: { bytes, content_type } satisfies Document,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    stdout: true,
    stderr: true,
  });
  return new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new UnreadableSource('it takes too long to read')), timeoutMs);
    thread.once('message', (answer: Extraction) => {
      if ('text' in answer) resolve(answer.text);
      else reject(new UnreadableSource(answer.unreadable));
    });
    thread.once('error', () => reject(new UnreadableSource('it takes too much memory to read, or is broken')));
    thread.once('exit', () => {
      clearTimeout(timer);
      reject(new UnreadableSource('it cannot be read'));
    });
  }).finally(() => thread.terminate());
}
