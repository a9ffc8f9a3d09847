import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cleanUp } from './cleanup.ts';

/** The used part; the package has no types. */
type S3rver = new (options: {
  port: number;
  address: string;
  silent: boolean;
  directory: string;
  configureBuckets: { name: string }[];
}) => { httpServer: Server; run(): Promise<AddressInfo> };

const Store = createRequire(import.meta.url)('s3rver') as S3rver;

/** An S3 storage with one bucket. It ends after the test file. */
export async function startS3(bucket: string) {
  const directory = await mkdtemp(path.join(tmpdir(), 'majlis-s3-'));
  const configureBuckets = [{ name: bucket }];
  const store = new Store({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets });
  const { port } = await store.run();

  async function stop(): Promise<void> {
    store.httpServer.closeAllConnections();
    if (store.httpServer.listening) await new Promise((done) => store.httpServer.close(done));
  }
  cleanUp('the files of the S3 storage', () => rm(directory, { recursive: true, force: true }));
  cleanUp('the S3 storage', stop);
  return {
    url: `http://127.0.0.1:${port}`,
    /** The only account. */
    credentials: { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' },
    /** The keys of the objects in the bucket. */
    async keys(): Promise<string[]> {
      const names = await readdir(path.join(directory, bucket), { recursive: true });
      return names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
    },
    stop,
  };
}

const suffix = '._S3rver_object';
