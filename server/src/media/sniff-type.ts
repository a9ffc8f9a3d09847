import type { fileTypeFromBuffer } from 'file-type';

/** Bytes from the beginning of a file that its type is found in; what comes later is not looked at. */
export const headBytes = 4_100;

/**
 * The type of a file by its first bytes. Neither its name nor its declared type is believed: what a name adds is only
 * which of the Office formats a container holds, and none of them acts in a browser.
 */
export async function sniffType(head: Uint8Array, filename: string | undefined): Promise<string> {
  const found = await findType(head.subarray(0, headBytes));
  // Markup has further names of its own.
  if (found !== undefined && found !== 'application/xml')
    return officeType(found, filename) ?? ownNames.get(found) ?? found;
  return isText(head) ? textType(head) : 'application/octet-stream';
}

let finder: Promise<typeof fileTypeFromBuffer> | undefined;

/** The library reads within these bytes alone and bounds its own loops; what it stumbles over has no type. */
async function findType(head: Uint8Array): Promise<string | undefined> {
  finder ??= import('file-type').then((library) => library.fileTypeFromBuffer);
  const fileType = await finder;
  try {
    return (await fileType(head))?.mime;
  } catch {
    return undefined;
  }
}

/** The library's names where the registered one, or the platform's, is another. */
const ownNames = new Map([
  ['audio/x-m4a', 'audio/mp4'],
  ['video/x-m4v', 'video/mp4'],
  ['audio/opus', 'audio/ogg; codecs=opus'],
  // It moves, and is a PNG to whoever does not know that it can.
  ['image/apng', 'image/png'],
]);

const containers: Record<string, Record<string, string>> = {
  'application/x-cfb': {
    doc: 'application/msword',
    xls: 'application/vnd.ms-excel',
    ppt: 'application/vnd.ms-powerpoint',
  },
  'application/zip': {
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  },
};

function officeType(found: string, filename: string | undefined): string | undefined {
  const extension = /\.([a-z]+)$/i.exec(filename ?? '')?.[1]?.toLowerCase() ?? '';
  return containers[found]?.[extension];
}

/** UTF-8 without control characters; the last letter may be cut. */
function isText(head: Uint8Array): boolean {
  if (head.length === 0) return false;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return !/[\p{Cc}--[\t\n\r\f]]/v.test(text);
  } catch {
    return false;
  }
}

// The tags by which browsers take unnamed text for HTML (the WHATWG's rules for sniffing), anywhere near the beginning.
const htmlTag = /<(!doctype html|html|head|body|script|iframe|title|style|a|img|div|p|br|table|font|h1)[\s>]/i;

/** Text that a browser would act on is called by its name, however it was declared. */
function textType(head: Uint8Array): string {
  const text = new TextDecoder().decode(head).replace(/<!--.*?(-->|$)/gs, '');
  if (/^\s*(<\?xml[^>]*>\s*)?(<!doctype svg[^>]*>\s*)?<svg\b/i.test(text)) return 'image/svg+xml';
  if (/^\s*<\?xml\b/i.test(text)) return 'application/xml';
  if (htmlTag.test(text.slice(0, 1_024))) return 'text/html';
  return 'text/plain';
}
