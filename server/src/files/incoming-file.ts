import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { countPassed } from './young-garbage.ts';

/** A file that an upload fills on the local disk. The caller hands it to the store or discards it. */
export interface IncomingFile {
  readonly path: string;
  write(chunk: Uint8Array): Promise<void>;
  /** Waits until the bytes are on the disk, and closes the file. */
  finish(): Promise<void>;
  /** Removes the file. Does nothing after the store has taken it over. */
  discard(): Promise<void>;
}

export async function openIncomingFile(folder: string): Promise<IncomingFile> {
  const file = path.join(folder, randomUUID());
  let handle: FileHandle | undefined = await open(file, 'wx', 0o600);

  async function close(): Promise<void> {
    const closing = handle;
    handle = undefined;
    await closing?.close();
  }
  return {
    path: file,
    async write(chunk) {
      for (let at = 0; at < chunk.length; ) at += (await handle!.write(chunk, at)).bytesWritten;
      countPassed(chunk.length);
    },
    async finish() {
      await handle!.sync();
      await close();
    },
    async discard() {
      await close();
      await rm(file, { force: true });
    },
  };
}
