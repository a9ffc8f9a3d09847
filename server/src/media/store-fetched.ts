import { createHash } from 'node:crypto';
import { newId } from '../database/ids.ts';
import type { FileKey } from '../files/file-store.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { NumberAccess } from '../platform/access.ts';
import type { MediaClient, PlatformFile } from '../platform/media/media-client.ts';
import type { Resources } from '../process/resources.ts';
import { receiveFile } from './receive-file.ts';
import { maxBytesOfAnyMedia } from './rules.ts';

export interface FetchedFile extends FileKey {
  mime: string;
  size_bytes: number;
}

/** The file can never be fetched; a retry would not help. */
export class UnusableFile extends Error {}

/**
 * Fetches a customer's file from the platform, verifies its checksum and stores its bytes. The row follows with the
 * message. Without a row, the sweep removes the bytes.
 */
export async function storeFetched(
  { clock, files }: Pick<Resources, 'clock' | 'files'>,
  client: MediaClient,
  channel: NumberAccess,
  file: PlatformFile,
  workspace_id: string,
): Promise<FetchedFile> {
  if ((file.size_bytes ?? 0) > maxBytesOfAnyMedia) throw new UnusableFile(`it has ${file.size_bytes} bytes`);
  const { chunks, sum } = summed(client.download(channel, file, maxBytesOfAnyMedia));
  const received = await receiveFile(files, chunks, undefined).catch((error) => {
    if (error instanceof Refusal) throw new UnusableFile(error.message);
    throw error;
  });
  try {
    if (file.sha256 !== undefined && sum() !== file.sha256.toLowerCase()) {
      throw new Error('the bytes of a file differ from what the platform says of them');
    }
    const key = { workspace_id, id: newId(clock) };
    await files.keep(key, received.file);
    return { ...key, mime: received.mime, size_bytes: received.size_bytes };
  } catch (error) {
    await received.discard();
    throw error;
  }
}

/** Passes the chunks through and computes their SHA-256 in hexadecimal. */
function summed(source: AsyncIterable<Buffer>) {
  const hash = createHash('sha256');
  async function* chunks(): AsyncIterable<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk);
      yield chunk;
    }
  }
  return { chunks: chunks(), sum: () => hash.digest('hex') };
}
