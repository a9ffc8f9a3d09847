import { type Static, Type } from 'typebox';
import { examples } from './examples.ts';
import { text } from './fields.ts';
import { defineOperation } from './operation.ts';

export const Media = Type.Object(
  {
    id: text(),
    mime: Type.Optional(text()),
    filename: Type.Optional(text()),
    size_bytes: Type.Optional(Type.Integer()),
  },
  { title: 'Media' },
);
export type Media = Static<typeof Media>;

/** The parts of the form. JSON validation does not apply: the file is a stream. */
export const MediaUpload = Type.Object(
  { file: Type.String({ contentMediaType: 'application/octet-stream', description: 'The file.' }) },
  { title: 'MediaUpload' },
);

export const mediaOperations = {
  uploadMedia: defineOperation({
    id: 'uploadMedia',
    method: 'POST',
    path: '/v1/media',
    label: 'Available',
    summary: 'Upload a file',
    description:
      'Stores a file to send by `media_id`. Limits: image 5 MB, video and audio 16 MB, document 100 MB. File types by ' +
      'kind of message: `image` JPEG and PNG; `video` (coming soon) MP4 and 3GPP; `voice` OGG/Opus, AAC, MP3 and AMR; ' +
      '`file` PDF, Office documents and any other type.',
    idempotent: false,
    body: MediaUpload,
    body_content_type: 'multipart/form-data',
    reply: { status: 201, body: Media },
    refusals: ['content_too_large', 'unprocessable_content'],
    example: {
      body: { file: 'the bytes of receipt.pdf' },
      reply: { id: examples.ids.media, mime: 'application/pdf', filename: 'receipt.pdf', size_bytes: 48213 },
    },
  }),

  downloadMedia: defineOperation({
    id: 'downloadMedia',
    method: 'GET',
    path: '/v1/media/{media_id}',
    label: 'Available',
    summary: 'Download a file',
    description: 'The raw bytes of an uploaded file or of a file that a contact sent.',
    idempotent: false,
    params: Type.Object({ media_id: text('The file.') }),
    reply: { status: 200, content_type: '*/*' },
    refusals: ['not_found'],
    example: { params: { media_id: examples.ids.media }, reply: 'the bytes of receipt.pdf' },
  }),
};
