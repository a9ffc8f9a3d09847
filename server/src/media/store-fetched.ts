import { createHash } from 'node:crypto';
import { newId } from '../database/ids.ts';
import type { FileKey } from '../files/file-store.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { MediaClient, PlatformFile } from '../platform/media/media-client.ts';
import type { NumberAccess } from '../platform/types.ts';
import type { Resources } from '../process/resources.ts';
import { receiveFile } from './receive-file.ts';
import { largestOfAll } from './rules.ts';

export interface FetchedFile extends FileKey {
  mime: string;
  size_bytes: number;
}

/** Why a file will never come, whoever asks again. */
export class UnusableFile extends Error {}

/**
 * Fetches a file of a customer from the platform and keeps its bytes, which are checked against the platform's sum. It
 * has no row yet: that comes with the message that it belongs to, or never, and then it is swept away.
 */
export async function storeFetched(
  { clock, files }: Pick<Resources, 'clock' | 'files'>,
  client: MediaClient,
  channel: NumberAccess,
  file: PlatformFile,
  workspace_id: string,
): Promise<FetchedFile> {
  if ((file.size_bytes ?? 0) > largestOfAll) throw new UnusableFile(`it has ${file.size_bytes} bytes`);
  const { chunks, sum } = summed(client.download(channel, file, largestOfAll));
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

/** The same chunks, and the SHA-256 of those that went by, in hexadecimal. */
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
