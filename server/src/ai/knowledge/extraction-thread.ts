import { parentPort, workerData } from 'node:worker_threads';
import { type Document, extractText } from './extract-text.ts';
import { Unreadable } from './unreadable.ts';

/** What the thread answers. */
export type Extraction = { text: string } | { unreadable: string };

const answer = await extractText(workerData as Document).then(
  (text): Extraction => ({ text }),
  (error): Extraction => ({ unreadable: error instanceof Unreadable ? error.message : 'the file is broken' }),
);
parentPort!.postMessage(answer);
