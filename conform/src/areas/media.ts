import { randomBytes } from 'node:crypto';
import { limits, operations } from '@majlis/contract';
import { describeResponse } from '../api-response.ts';
import { defineArea } from '../clause.ts';
import { expectRefusal, expectSuccess, rethrowBroken, type Session, shareFixture } from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

const png = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000002000001e221bc330000000049454e44ae426082',
  'hex',
);
const pdf = Buffer.from('%PDF-1.4\n');
const mp4 = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2', 'latin1');
const mp3 = Buffer.from('fffb9064', 'hex');

const fileTypes = {
  image: { head: png, type: 'image/png', name: 'png' },
  video: { head: mp4, type: 'video/mp4', name: 'mp4' },
  audio: { head: mp3, type: 'audio/mpeg', name: 'mp3' },
  document: { head: pdf, type: 'application/pdf', name: 'pdf' },
} as const;

export const mediaArea = defineArea('media', [
  [
    'round_trip',
    'POST /v1/media stores a file; GET /v1/media/{media_id} answers its raw bytes.',
    async (session) => {
      const { params, bytes } = await rethrowBroken(shareUploadedFile(session));
      const { status, bytes: received } = await session.client.call(operations.downloadMedia, { params });
      assertSame(status, 200, 'status');
      assertThat(received.equals(bytes), `the same ${bytes.length} bytes`, `${received.length} bytes that differ`);
    },
  ],
  [
    'fields',
    'Media: id, mime, filename, size_bytes.',
    async (session) => {
      const { filename, size_bytes, name, bytes } = await shareUploadedFile(session);
      assertSame([filename, size_bytes], [name, bytes.length], 'filename and size_bytes');
    },
  ],
  [
    'too_large.image',
    'Media upload size: image 5 MB; 413 file too large.',
    (session) => expectTooLarge(session, 'image'),
  ],
  ...(['video', 'audio', 'document'] as const).map((kind) => {
    const check = async (session: Session) => {
      if (!session.options.limits) throw new NotChecked('needs --limits: it uploads a large file');
      await expectTooLarge(session, kind);
    };
    const text = `Media upload size: ${kind} ${limits.media_bytes[kind] / 1_048_576} MB; 413 file too large.`;
    return [`too_large.${kind}`, text, check] as const;
  }),
  [
    'file_required',
    'POST /v1/media: file is required.',
    (session) => {
      const form = new FormData();
      form.set('note', 'no file');
      return expectRefusal(session, 'uploadMedia', { body: form }, [400, 415, 422]).then(() => undefined);
    },
  ],
]);

function shareUploadedFile(session: Session) {
  return shareFixture(session, 'uploaded file', async () => {
    const bytes = Buffer.concat([pdf, randomBytes(2_000), Buffer.from('\n%%EOF\n')]);
    const name = `${session.run_name}.pdf`;
    const file = await expectSuccess(session, 'uploadMedia', { body: formOf(bytes, 'application/pdf', name) });
    session.leaves.add(`file ${file.id}, named ${name}`);
    return { ...file, name, bytes, params: { media_id: file.id } };
  });
}

/** Uploads 1.1 times the limit, which exceeds it for both sizes of an MB (1,000,000 and 1,048,576 bytes). */
async function expectTooLarge(session: Session, kind: keyof typeof fileTypes): Promise<void> {
  const { head, type, name } = fileTypes[kind];
  const bytes = Buffer.concat([head, Buffer.alloc(Math.ceil(limits.media_bytes[kind] * 1.1), 0xa5)]);
  const body = formOf(bytes, type, `${session.run_name}.${name}`);
  const answer = await session.client.call(operations.uploadMedia, { body });
  if (answer.status === 201) session.leaves.add(`a file of ${bytes.length} bytes, named ${session.run_name}.${name}`);
  assertThat(answer.status === 413, '413 on POST /v1/media', describeResponse(answer));
}

function formOf(bytes: Buffer, type: string, name: string): FormData {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name);
  return form;
}
