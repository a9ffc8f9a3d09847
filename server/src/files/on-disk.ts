import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { DiskSpace } from '../process/disk-space.ts';
import type { FileKey, FileStore } from './file-store.ts';
import { emptyIfMissing, incomingFiles } from './incoming-files.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Stores files as `folder/workspace_id/id`. A rename on the same disk makes the whole file appear at once. */
export function createOnDisk(folder: string, disk: DiskSpace): FileStore {
  const placeOf = ({ workspace_id, id }: FileKey) => path.join(folder, workspace_id, id);
  return {
    ...incomingFiles(folder, disk),
    async keep(key, file) {
      const place = placeOf(key);
      await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
      await rename(file.path, place);
      // The sync makes the name durable before a row refers to it.
      await syncFolder(path.dirname(place));
      await syncFolder(folder);
    },
    async open(key) {
      const handle = await open(placeOf(key)).catch(undefinedIfMissing);
      if (!handle) return undefined;
      const { size } = await handle.stat();
      return { size_bytes: size, bytes: handle.createReadStream() };
    },
    remove: (key) => rm(placeOf(key), { force: true }),
    async *list() {
      for (const workspace_id of await readdir(folder).catch(emptyIfMissing)) {
        if (!uuid.test(workspace_id)) continue;
        for (const id of await readdir(path.join(folder, workspace_id)).catch(emptyIfMissing)) {
          if (uuid.test(id)) yield { workspace_id, id };
        }
      }
    },
    close() {},
  };
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
