import path from 'node:path';
import type { Config } from '../process/config.ts';
import type { FileStore } from './file-store.ts';
import { createInS3 } from './in-s3.ts';
import { createOnDisk } from './on-disk.ts';

/** On the local disk, or in a bucket where the settings name one; uploads pass through DATA_DIR either way. */
export function createFileStore({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): FileStore {
  const folder = path.join(dataDir, 'media');
  return s3 ? createInS3(s3, folder) : createOnDisk(folder);
}
