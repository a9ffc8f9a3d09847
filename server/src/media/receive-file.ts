import type { FileStore } from '../files/file-store.ts';
import type { IncomingFile } from '../files/incoming-files.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { maxBytesOfAnyMedia, maxMediaBytes } from './rules.ts';
import { headBytes, sniffType } from './sniff-type.ts';

/** A complete file on the local disk that the store has not taken over yet. */
export interface ReceivedFile {
  mime: string;
  size_bytes: number;
  file: IncomingFile;
  discard(): Promise<void>;
}

/**
 * Writes the chunks to a file and detects its type from its first bytes. Refuses the file, and discards it, as soon as it exceeds
 * the limit of its type.
 */
export async function receiveFile(
  files: FileStore,
  chunks: AsyncIterable<Uint8Array>,
  filename: string | undefined,
): Promise<ReceivedFile> {
  const file = await files.receive();
  try {
    const { size_bytes, mime } = await fill(file, chunks, filename);
    await file.finish();
    return { mime, size_bytes, file, discard: () => file.discard() };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function fill(file: IncomingFile, chunks: AsyncIterable<Uint8Array>, filename: string | undefined) {
  let head = Buffer.alloc(0);
  let mime: string | undefined;
  let size_bytes = 0;
  for await (const chunk of chunks) {
    size_bytes += chunk.length;
    if (size_bytes > maxBytesOfAnyMedia) throw tooLarge(mime);
    if (mime === undefined) {
      head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
      if (head.length === headBytes) mime = await sniffType(head, filename);
    }
    if (mime !== undefined && size_bytes > maxMediaBytes(mime)) throw tooLarge(mime);
    await file.write(chunk);
  }
  return { size_bytes, mime: mime ?? (await sniffType(head, filename)) };
}

function tooLarge(mime = 'application/octet-stream'): Refusal {
  const mebibytes = maxMediaBytes(mime) / 1_048_576;
  return new Refusal('content_too_large', { detail: `A file of type ${mime} may have ${mebibytes} MB.` });
}
