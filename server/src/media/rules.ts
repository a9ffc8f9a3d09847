import { limits } from '@majlis/contract';

/** The limit of a file by its type. Any type other than an image, a video or audio counts as a document. */
export function maxMediaBytes(mime: string): number {
  const family = mime.split('/')[0]!;
  const isDocument = family !== 'image' && family !== 'video' && family !== 'audio';
  return limits.media_bytes[isDocument ? 'document' : family];
}

/** The highest limit of all types. */
export const maxBytesOfAnyMedia = Object.values(limits.media_bytes).reduce((most, bytes) => Math.max(most, bytes));

/** The types that the contract accepts for each kind of message with a file. */
const acceptedTypes: Record<string, readonly string[] | 'any'> = {
  image: ['image/jpeg', 'image/png'],
  video: ['video/mp4', 'video/3gpp'],
  // Most phones record AAC in an MP4 container.
  voice: ['audio/ogg; codecs=opus', 'audio/aac', 'audio/mp4', 'audio/mpeg', 'audio/amr'],
  file: 'any',
};

/** Whether a message of this kind may carry a file of this type. */
export function accepts(kind: string, mime: string): boolean {
  const types = acceptedTypes[kind];
  return types === 'any' || (types?.includes(mime) ?? false);
}

/** Whether browsers may show the type inline. All other types are downloads, because they could run scripts. */
export function isShown(mime: string): boolean {
  return /^(image\/(jpeg|png|gif|webp|avif)|video\/(mp4|3gpp|webm)|audio\/[\w.+-]+(; codecs=opus)?)$/.test(mime);
}

const headerKinds: Record<string, string> = { image: 'image', video: 'video', document: 'file' };

/** Whether a template's header of this format allows a file of this type. Undefined means a header without a file, or no file. */
export function fitsHeader(format: string | undefined, mime: string | undefined): boolean {
  if (format === undefined || mime === undefined) return format === mime;
  const kind = headerKinds[format];
  return kind !== undefined && accepts(kind, mime);
}
