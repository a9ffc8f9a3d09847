import assert from 'node:assert/strict';
import type { Reply } from './api.ts';
import type { TestService, TestWorkspace } from './start-test-service.ts';

/** The smallest files whose types can be detected. */
export const samples = {
  png: Buffer.from(
    '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000002000001e221bc330000000049454e44ae426082',
    'hex',
  ),
  jpeg: Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
  mp4: Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2', 'latin1'),
  opus: Buffer.concat([
    Buffer.from('OggS\0\x02', 'latin1'),
    Buffer.alloc(20),
    Buffer.from('\x01\x13OpusHead\x01\x01', 'latin1'),
  ]),
  mp3: Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(417)]),
  pdf: Buffer.from('%PDF-1.4\n%%EOF\n'),
  zip: Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(40)]),
  html: Buffer.from('<!doctype html><script>alert(1)</script>'),
};

/** `head`, filled up to this many bytes. */
export function sized(head: Buffer, bytes: number): Buffer<ArrayBuffer> {
  return Buffer.concat([head, Buffer.alloc(bytes - head.length, 0xa5)]);
}

/** Uploads a file as a browser would. */
export async function uploadFile(
  majlis: { url: string },
  { key }: Pick<TestWorkspace, 'key'>,
  bytes: Uint8Array,
  { filename = 'file.bin', type = 'application/octet-stream' } = {},
): Promise<Reply> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), filename);
  const response = await fetch(`${majlis.url}/v1/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) };
}

/** Downloads a file. */
export async function downloadFile(majlis: { url: string }, { key }: Pick<TestWorkspace, 'key'>, media_id: string) {
  const response = await fetch(`${majlis.url}/v1/media/${media_id}`, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Stores a file at the simulator for a customer to send, and answers its id. */
export async function addPlatformFile(
  { simulator }: Pick<TestService, 'simulator'>,
  { phone_number_id }: Pick<TestWorkspace, 'phone_number_id'>,
  bytes: Buffer,
  { type, filename }: { type: string; filename?: string | undefined },
): Promise<string> {
  const query = new URLSearchParams({ phone_number_id, mime_type: type, ...(filename && { filename }) });
  const answer = await fetch(`${simulator.url}/control/media?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulator.control_token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  });
  assert.equal(answer.status, 201, await answer.clone().text());
  return ((await answer.json()) as { id: string }).id;
}
