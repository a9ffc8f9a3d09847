import type { fileTypeFromBuffer } from 'file-type';

/** The number of first bytes of a file that determine its type. */
export const headBytes = 4_100;

/**
 * Detects the type of a file from its first bytes. Its declared type is ignored. Its name only tells the Office formats apart,
 * which no browser runs (hazard H91).
 */
export async function sniffType(head: Uint8Array, filename: string | undefined): Promise<string> {
  const found = await findType(head.subarray(0, headBytes));
  // `textType` tells SVG and other XML apart.
  if (found !== undefined && found !== 'application/xml')
    return officeType(found, filename) ?? registeredNames.get(found) ?? found;
  return isText(head) ? textType(head) : 'application/octet-stream';
}

let finder: Promise<typeof fileTypeFromBuffer> | undefined;

/** Undefined if the library knows no type or throws. The library bounds its own loops. */
async function findType(head: Uint8Array): Promise<string | undefined> {
  finder ??= import('file-type').then((library) => library.fileTypeFromBuffer);
  const fileType = await finder;
  try {
    return (await fileType(head))?.mime;
  } catch {
    return undefined;
  }
}

/** The library's names that differ from the registered ones or the platform's. */
const registeredNames = new Map([
  ['audio/x-m4a', 'audio/mp4'],
  ['video/x-m4v', 'video/mp4'],
  ['audio/opus', 'audio/ogg; codecs=opus'],
  // A program that does not know animated PNG shows it as a PNG.
  ['image/apng', 'image/png'],
]);

// Maps, because a file may be called `a.constructor`, which every object has.
const containers = new Map([
  [
    'application/x-cfb',
    new Map([
      ['doc', 'application/msword'],
      ['xls', 'application/vnd.ms-excel'],
      ['ppt', 'application/vnd.ms-powerpoint'],
    ]),
  ],
  [
    'application/zip',
    new Map([
      ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
      ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
      ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
    ]),
  ],
]);

function officeType(found: string, filename: string | undefined): string | undefined {
  const extension = /\.([a-z]+)$/i.exec(filename ?? '')?.[1]?.toLowerCase() ?? '';
  return containers.get(found)?.get(extension);
}

/** Whether the bytes are UTF-8 without control characters. The last character may be incomplete. */
function isText(head: Uint8Array): boolean {
  if (head.length === 0) return false;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return !/[\p{Cc}--[\t\n\r\f]]/v.test(text);
  } catch {
    return false;
  }
}

// Tags near the beginning by which browsers detect HTML (MIME Sniffing Standard of the WHATWG).
const htmlTag = /<(!doctype html|html|head|body|script|iframe|title|style|a|img|div|p|br|table|font|h1)[\s>]/i;

/** Names the types of text that browsers interpret. */
function textType(head: Uint8Array): string {
  const text = new TextDecoder().decode(head).replace(/<!--.*?(-->|$)/gs, '');
  if (/^\s*(<\?xml[^>]*>\s*)?(<!doctype svg[^>]*>\s*)?<svg\b/i.test(text)) return 'image/svg+xml';
  if (/^\s*<\?xml\b/i.test(text)) return 'application/xml';
  if (htmlTag.test(text.slice(0, 1_024))) return 'text/html';
  return 'text/plain';
}
