import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type IncomingFile, openIncomingFile } from './incoming-file.ts';

// This is longer than any upload may take. It is real time, since it is compared with the file system's times.
const leftoverAfterMs = 24 * 3_600_000;

/** The folder below `folder` that receives files. The first upload creates it. */
export function incomingFolder(folder: string) {
  const incoming = path.join(folder, 'incoming');
  return {
    async receive(): Promise<IncomingFile> {
      await mkdir(incoming, { recursive: true, mode: 0o700 });
      return openIncomingFile(incoming);
    },
    async removeLeftovers(): Promise<void> {
      for (const name of await readdir(incoming).catch(ifMissing)) {
        const file = path.join(incoming, name);
        const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
        if (mtimeMs < Date.now() - leftoverAfterMs) await rm(file, { force: true });
      }
    },
  };
}

/** A missing folder counts as empty. */
export function ifMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
