import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { type LimitedProcess, spawnLimited } from '../../process/spawn-limited.ts';
import type { Extraction, Passage } from './extraction-process.ts';
import { UnreadableSource } from './unreadable-source.ts';

export interface SourceBytes {
  /** A text is taken as it is. The type of a document is detected. */
  type: 'text' | 'document';
  bytes: Uint8Array | Readable;
  size_bytes: number;
  /** The type that the server declared; for a file, the type found in its first bytes. */
  content_type?: string | undefined;
}

const timeoutMs = 60_000;
const cpuSeconds = 20;
// A small PDF takes 76 MB, a page of 2 MB takes 146 MB, most of it for its elements.
const smallestMemoryMb = 144;
const memoryPerByte = 16;
const maxAnswerBytes = 32 * 1_048_576;
const program = fileURLToPath(new URL('./extraction-process.ts', import.meta.url));

/**
 * Extracts the passages of a source in a child process with limits of memory and time (hazard H111). The memory grows with
 * the bytes of the document, not with what they inflate to. Throws UnreadableSource.
 */
export async function extractInChild({ type, bytes, size_bytes, content_type = '' }: SourceBytes): Promise<Passage[]> {
  const memory_mb = Math.ceil(smallestMemoryMb + (memoryPerByte * size_bytes) / 1_048_576);
  const child = await spawnLimited(program, [type, content_type], { memory_mb, cpu_seconds: cpuSeconds });
  const kill = () => child.kill('SIGKILL');
  const timer = setTimeout(kill, timeoutMs);
  process.once('exit', kill);
  try {
    const source = bytes instanceof Readable ? bytes : Readable.from([bytes]);
    // A child that ends early closes its input. Its signal or its answer says why.
    const [answer, signal] = await Promise.all([
      readAnswer(child),
      endOf(child),
      pipeline(source, child.stdin).catch(() => {}),
    ]);
    if (signal === 'SIGKILL' || signal === 'SIGXCPU') throw new UnreadableSource('it takes too long to read');
    if (signal || !answer) throw new UnreadableSource('it takes too much memory to read');
    if ('unreadable' in answer) throw new UnreadableSource(answer.unreadable);
    return answer.passages;
  } finally {
    clearTimeout(timer);
    process.off('exit', kill);
  }
}

function endOf(child: LimitedProcess): Promise<NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (_code, signal) => resolve(signal));
  });
}

/** Undefined if the child ended before its answer was complete, or if the answer is too large. */
async function readAnswer(child: LimitedProcess): Promise<Extraction | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxAnswerBytes) {
      child.kill('SIGTERM');
      return undefined;
    }
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  return text.endsWith('}') ? (JSON.parse(text) as Extraction) : undefined;
}
