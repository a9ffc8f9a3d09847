import { limits } from '@majlis/contract';

/** What decides how large a file may be; what is none of the first three is a document. */
export type MediaClass = keyof typeof limits.media_bytes;

export function classOf(mime: string): MediaClass {
  const family = mime.split('/')[0]!;
  return family === 'image' || family === 'video' || family === 'audio' ? family : 'document';
}

export function largestBytes(mime: string): number {
  return limits.media_bytes[classOf(mime)];
}

/** The largest file that any class takes. */
export const largestOfAll = Math.max(...Object.values(limits.media_bytes));

/** The kinds of messages that are a file, with the types that the contract accepts for each. */
const acceptedTypes: Record<string, readonly string[] | 'any'> = {
  image: ['image/jpeg', 'image/png'],
  video: ['video/mp4', 'video/3gpp'],
  // AAC comes bare or, from most phones, in an MP4 container.
  voice: ['audio/ogg; codecs=opus', 'audio/aac', 'audio/mp4', 'audio/mpeg', 'audio/amr'],
  file: 'any',
};

/** Whether a message of this kind may carry a file of this type. */
export function accepts(kind: string, mime: string): boolean {
  const types = acceptedTypes[kind];
  return types === 'any' || (types?.includes(mime) ?? false);
}

/** Shown in the page that asked for it; everything else is handed over as a file, for it could act in a browser. */
export function isShown(mime: string): boolean {
  return /^(image\/(jpeg|png|gif|webp|avif)|video\/(mp4|3gpp|webm)|audio\/[\w.+-]+(; codecs=opus)?)$/.test(mime);
}

const headerKinds: Record<string, string> = { image: 'image', video: 'video', document: 'file' };

/** Whether a template's header of this format, undefined for one that is no file, goes with a file of this type, or with none. */
export function fitsHeader(format: string | undefined, mime: string | undefined): boolean {
  if (format === undefined || mime === undefined) return format === mime;
  const kind = headerKinds[format];
  return kind !== undefined && accepts(kind, mime);
}
