import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../process/config.ts';
import type { DiskSpace } from '../process/disk-space.ts';
import type { FileKey, FileStore } from './file-store.ts';
import { incomingFiles } from './incoming-files.ts';

const idsAtEnd = /([0-9a-f-]{36})\/([0-9a-f-]{36})$/;

/**
 * Stores files in any S3-compatible bucket. The local disk receives a file first, then one request of known length puts
 * it into the bucket. So the bucket never holds a partial file, and memory never holds the bytes.
 */
export function createInS3(settings: S3Settings, folder: string, disk: DiskSpace): FileStore {
  const { bucket: Bucket, prefix } = settings;
  const keyOf = ({ workspace_id, id }: FileKey) => [prefix, workspace_id, id].filter(Boolean).join('/');
  let connecting: ReturnType<typeof connect> | undefined;
  // The first call loads the library: a service without S3 does not pay for it.
  const connected = () => (connecting ??= connect(settings));

  return {
    ...incomingFiles(folder, disk),
    async keep(key, file) {
      const { client, sdk } = await connected();
      const { size: ContentLength } = await stat(file.path);
      const Body = createReadStream(file.path);
      try {
        await client.send(new sdk.PutObjectCommand({ Bucket, Key: keyOf(key), Body, ContentLength }));
      } finally {
        Body.destroy();
      }
      await file.discard();
    },
    async open(key) {
      const { client, sdk } = await connected();
      try {
        const { Body, ContentLength } = await client.send(new sdk.GetObjectCommand({ Bucket, Key: keyOf(key) }));
        return { size_bytes: ContentLength!, bytes: Body as Readable };
      } catch (error) {
        if (error instanceof sdk.S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
        throw error;
      }
    },
    async remove(key) {
      const { client, sdk } = await connected();
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: keyOf(key) }));
    },
    async *list() {
      const { client, sdk } = await connected();
      const Prefix = prefix && `${prefix}/`;
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket, ...(Prefix && { Prefix }) })) {
        for (const { Key } of page.Contents ?? []) {
          const ids = idsAtEnd.exec(Key ?? '');
          if (ids && keyOf({ workspace_id: ids[1]!, id: ids[2]! }) === Key)
            yield { workspace_id: ids[1]!, id: ids[2]! };
        }
      }
    },
    close() {
      void connecting?.then(
        ({ client }) => client.destroy(),
        () => {},
      );
    },
  };
}

// By default the library opens 50 for the whole process. A download has one as long as its client reads, so the slow clients of
// one workspace would take all of them. Without a bound, each download has one beside the connection of its client.
const connections = { maxSockets: Number.POSITIVE_INFINITY };

async function connect({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings) {
  const sdk = await import('@aws-sdk/client-s3');
  const client: S3Client = new sdk.S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Compatible stores often have no host name per bucket.
    forcePathStyle: true,
    // Some compatible stores refuse the checksum trailer that the library sends by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: 30_000,
      httpAgent: connections,
      httpsAgent: connections,
    },
    maxAttempts: 3,
    // The caller logs failures.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  return { sdk, client };
}
