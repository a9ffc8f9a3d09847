import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type IncomingFile, openIncomingFile } from './incoming-file.ts';

// Longer than any upload may take. Real time: the file system's own is compared.
const leftoverAfterMs = 24 * 3_600_000;

/** The place below `folder` where files are received, made when the first one comes. */
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

/** A folder that is not there yet holds nothing. */
export function ifMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
