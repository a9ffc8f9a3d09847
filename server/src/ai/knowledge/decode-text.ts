/**
 * Decodes by the byte order mark, else by the declared charset or the one in the document (Arabic pages often use
 * windows-1256), else as UTF-8. Undefined for binary data.
 */
export function decodeText(bytes: Uint8Array, content_type: string): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 2_048)).toString('latin1');
  const marked = markOf(bytes);
  const declared =
    /charset=["']?([\w-]+)/i.exec(content_type)?.[1] ?? /<meta[^>]+charset=["']?([\w-]+)/i.exec(head)?.[1];
  for (const label of [marked, declared, 'utf-8']) {
    const text = label && decodeAs(label, bytes, label === 'utf-8');
    if (text && !isBinary(text)) return text;
  }
  return undefined;
}

function markOf([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

function decodeAs(label: string, bytes: Uint8Array, fatal: boolean): string | undefined {
  try {
    return new TextDecoder(label, { fatal }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** More than 1% control characters. */
function isBinary(text: string): boolean {
  const controls = text.slice(0, 65_536).match(/[[\p{Cc}\ufffd]--[\t\n\v\f\r]]/gv)?.length ?? 0;
  return controls > Math.min(text.length, 65_536) / 100;
}
