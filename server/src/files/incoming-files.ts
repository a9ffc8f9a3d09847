import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { DiskSpace } from '../process/disk-space.ts';
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

// This is longer than any upload may take. It is real time, since it is compared with the file system's times.
const leftoverAfterMs = 24 * 3_600_000;

/** The folder below `folder` that receives files. The first upload creates it. It takes no file at the reserve of the disk. */
export function incomingFiles(folder: string, disk: DiskSpace) {
  const incoming = path.join(folder, 'incoming');
  return {
    async receive(): Promise<IncomingFile> {
      disk.take(0);
      await mkdir(incoming, { recursive: true, mode: 0o700 });
      return openIncomingFile(path.join(incoming, randomUUID()), disk);
    },
    async removeLeftovers(): Promise<void> {
      for (const name of await readdir(incoming).catch(emptyIfMissing)) {
        const file = path.join(incoming, name);
        const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
        if (mtimeMs < Date.now() - leftoverAfterMs) await rm(file, { force: true });
      }
    },
  };
}

async function openIncomingFile(file: string, disk: DiskSpace): Promise<IncomingFile> {
  let handle: FileHandle | undefined = await open(file, 'wx', 0o600);

  async function close(): Promise<void> {
    const closing = handle;
    handle = undefined;
    await closing?.close();
  }
  return {
    path: file,
    async write(chunk) {
      disk.take(chunk.length);
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

/** A missing folder counts as empty. */
export function emptyIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
