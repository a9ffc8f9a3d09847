import path from 'node:path';
import type { Config } from '../process/config.ts';
import type { FileStore } from './file-store.ts';
import { createInS3 } from './in-s3.ts';
import { createOnDisk } from './on-disk.ts';

/** Stores files on the local disk, or in a bucket if the settings name one. Uploads pass through DATA_DIR in both cases. */
export function createFileStore({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): FileStore {
  const folder = path.join(dataDir, 'media');
  return s3 ? createInS3(s3, folder) : createOnDisk(folder);
}
