import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Agent } from 'undici';
import { countPassed } from '../../files/young-garbage.ts';
import { buildTolerantConnector } from '../../outbound/accept-continue.ts';
import { exchange } from '../../outbound/exchange.ts';
import type { NumberAccess } from '../access.ts';
import { readAnswer } from '../read-answer.ts';
import { readInteger, readText } from '../read-json.ts';
import { PlatformRefusal } from '../refusal.ts';
import { downloadFrom } from './download-media.ts';
import { uploadTypeOf } from './upload-types.ts';

export interface MediaClientOptions {
  base_url: string;
  /** Bounds a call without a file; a file's size adds to it. */
  timeout_ms: number;
  /** Hosts, besides the API's own, that files may be fetched from with the token. */
  media_hosts: readonly string[];
}

export interface OutboundFile {
  mime: string;
  size_bytes: number;
  bytes: Readable;
}

/** A file at the platform; `url` is valid for a few minutes. */
export interface PlatformFile {
  url: string;
  /** Hexadecimal. */
  sha256?: string;
  size_bytes?: number;
}

export interface MediaClient {
  /** Answers the platform's id of its copy. Throws `PlatformRefusal`. A repeated upload is harmless. */
  upload(channel: NumberAccess, file: OutboundFile): Promise<string>;
  /** Throws `PlatformRefusal`. */
  find(channel: NumberAccess, platform_media_id: string): Promise<PlatformFile>;
  /** Streams at most `most_bytes`. Throws `PlatformRefusal`, also during the read. */
  download(channel: NumberAccess, file: PlatformFile, most_bytes: number): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

// The slowest connection that a call waits for: 64 kB/s.
const leastBytesPerMs = 64;

/** Files to and from the platform (section 4), on separate connections because they take long. */
export function createMediaClient({ base_url, timeout_ms, media_hosts }: MediaClientOptions): MediaClient {
  const base = new URL(base_url);
  const connect = buildTolerantConnector({ timeout: timeout_ms, allowH2: false });
  const agent = new Agent({ connections: 128, pipelining: 1, allowH2: false, connect });
  const timeFor = (bytes: number) => Math.ceil(timeout_ms + bytes / leastBytesPerMs);
  const call = (
    path: string,
    { access_token }: NumberAccess,
    more: Partial<Parameters<typeof exchange>[1]>,
    bytes = 0,
  ) =>
    exchange(
      agent,
      {
        origin: base.origin,
        path: base.pathname.replace(/\/$/, '') + path,
        method: 'GET',
        ...more,
        headers: { authorization: `Bearer ${access_token}`, 'user-agent': 'majlis', ...(more.headers as object) },
      },
      { timeout_ms: timeFor(bytes), max_answer_bytes: 1_048_576 },
    );

  return {
    async upload(channel, file) {
      const { headers, body } = composeForm(file);
      try {
        const path = `/${encodeURIComponent(channel.phone_number_id)}/media`;
        const answer = await call(path, channel, { method: 'POST', headers, body }, file.size_bytes);
        const id = readText(readAnswer(answer, channel.access_token).id);
        if (id === undefined) throw new PlatformRefusal('an upload was answered without an id');
        return id;
      } finally {
        body.destroy();
        file.bytes.destroy();
      }
    },
    async find(channel, platform_media_id) {
      const query = new URLSearchParams({ phone_number_id: channel.phone_number_id });
      const answer = await call(`/${encodeURIComponent(platform_media_id)}?${query}`, channel, {});
      const media = readAnswer(answer, channel.access_token);
      const url = readText(media.url);
      if (url === undefined) throw new PlatformRefusal('a file was answered without an address');
      const sha256 = readText(media.sha256);
      const size_bytes = readInteger(media.file_size);
      return { url, ...(sha256 && { sha256 }), ...(size_bytes !== undefined && { size_bytes }) };
    },
    download: ({ access_token }, { url, size_bytes }, most_bytes) =>
      downloadFrom(agent, url, {
        access_token,
        trusted: (host) => host === base.hostname || media_hosts.includes(host),
        // Plain http only where the API itself is plain http.
        protocols: base.protocol === 'http:' ? ['http:', 'https:'] : ['https:'],
        timeout_ms: timeFor(size_bytes ?? most_bytes),
        most_bytes,
      }),
    close: () => agent.destroy(),
  };
}

/** Composes the form of an upload. The platform refuses a part without its type. */
function composeForm({ mime, size_bytes, bytes }: OutboundFile) {
  const { type, ending } = uploadTypeOf(mime) ?? { type: mime, ending: 'bin' };
  const boundary = `majlis-${randomUUID()}`;
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = Buffer.from(
    `${field('messaging_product', 'whatsapp')}${field('type', type)}--${boundary}\r\n` +
      `Content-Disposition: form-data; name="file"; filename="file.${ending}"\r\nContent-Type: ${type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* compose(): AsyncIterable<Buffer> {
    yield head;
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      countPassed(chunk.length);
      yield chunk;
    }
    yield tail;
  }
  const headers = {
    accept: 'application/json',
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(head.length + size_bytes + tail.length),
  };
  // In byte mode the buffer holds 64 kB; in object mode 65,536 chunks.
  return { headers, body: Readable.from(compose(), { objectMode: false, highWaterMark: 65_536 }) };
}
