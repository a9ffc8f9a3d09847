import { parentPort, workerData } from 'node:worker_threads';
import { type Document, extractText } from './extract-text.ts';
import { UnreadableSource } from './unreadable-source.ts';

/** The message of the worker. */
export type Extraction = { text: string } | { unreadable: string };

const answer = await extractText(workerData as Document).then(
  (text): Extraction => ({ text }),
  (error): Extraction => ({ unreadable: error instanceof UnreadableSource ? error.message : 'the file is broken' }),
);
parentPort!.postMessage(answer);
