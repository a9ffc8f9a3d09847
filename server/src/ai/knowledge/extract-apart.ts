import { Worker } from 'node:worker_threads';
import type { Document } from './extract-text.ts';
import type { Extraction } from './extraction-thread.ts';
import { Unreadable } from './unreadable.ts';

const timeoutMs = 60_000;
const memoryMb = 512;

/**
 * The text of a document, read in a thread of its own with bounds on time and memory: documents come from anywhere, and one that
 * was made to keep its reader busy must not keep the service from its messages.
 */
export function extractApart({ bytes, content_type }: Document): Promise<string> {
  const thread = new Worker(new URL('./extraction-thread.ts', import.meta.url), {
    workerData: { bytes, content_type } satisfies Document,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    stdout: true,
    stderr: true,
  });
  return new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Unreadable('it takes too long to read')), timeoutMs);
    thread.once('message', (answer: Extraction) => {
      if ('text' in answer) resolve(answer.text);
      else reject(new Unreadable(answer.unreadable));
    });
    thread.once('error', () => reject(new Unreadable('it takes too much memory to read, or is broken')));
    thread.once('exit', () => {
      clearTimeout(timer);
      reject(new Unreadable('it cannot be read'));
    });
  }).finally(() => thread.terminate());
}
