import { decodeText } from './decode-text.ts';
import { extractHtml } from './extract-html.ts';
import { extractOffice } from './extract-office.ts';
import { extractPdf } from './extract-pdf.ts';
import { UnreadableSource } from './unreadable-source.ts';

export interface Document {
  bytes: Uint8Array;
  /** The type that the server declared; for a file, the type found in its first bytes. */
  content_type: string | undefined;
}

/** The text of a document of any supported type, detected by its bytes. Throws UnreadableSource. */
export async function extractText({ bytes, content_type = '' }: Document): Promise<string> {
  if (bytes.length === 0) throw new UnreadableSource('it is empty');
  if (startsWith(bytes, '%PDF-')) return extractPdf(bytes);
  if (startsWith(bytes, 'PK\u0003\u0004')) return extractOffice(bytes);
  if (/^(image|audio|video|font)\//.test(content_type))
    throw new UnreadableSource(`a file of the type ${typeOf(content_type)} has no text`);
  const text = decodeText(bytes, content_type);
  if (text === undefined) throw new UnreadableSource(`a file of the type ${typeOf(content_type)} cannot be read`);
  return isHtml(text, content_type) ? extractHtml(text) : text;
}

function startsWith(bytes: Uint8Array, magic: string): boolean {
  // A PDF may have some bytes before `%PDF-`.
  const head = Buffer.from(bytes.subarray(0, magic === '%PDF-' ? 1_024 : magic.length)).toString('latin1');
  return magic === '%PDF-' ? head.includes(magic) : head === magic;
}

function isHtml(text: string, content_type: string): boolean {
  if (/^(text\/html|application\/xhtml\+xml)/i.test(content_type)) return true;
  return /^<(!doctype html|html|head|body)[\s>]/i.test(skipPreface(text.slice(0, 2_048)));
}

/** Skips comments and an XML declaration. One expression for both takes exponential time on `<!---->` (hazard H109). */
function skipPreface(text: string): string {
  const rest = text.trimStart();
  const mark = /^<!--|^<\?xml/i.test(rest) ? (rest.startsWith('<!--') ? '-->' : '>') : undefined;
  const end = mark === undefined ? -1 : rest.indexOf(mark);
  return end < 0 ? rest : skipPreface(rest.slice(end + mark!.length));
}

function typeOf(content_type: string): string {
  return (
    content_type
      .split(';')[0]!
      .trim()
      .replace(/[^\w.+/-]/g, '')
      .slice(0, 100) || 'application/octet-stream'
  );
}
