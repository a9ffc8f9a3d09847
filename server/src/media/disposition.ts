const mostBytes = 180;

/**
 * Content-Disposition with the name in both forms of RFC 6266: a safe ASCII replacement for old clients, and the name
 * percent-encoded, so that no character can end the header or the parameter.
 */
export function disposition(type: 'inline' | 'attachment', filename: string | null): string {
  if (!filename) return type;
  const name = shorten(filename);
  const plain = name.replace(/[^\w .()+-]/g, '_');
  return `${type}; filename="${plain}"; filename*=UTF-8''${encode(name)}`;
}

/** Shortens a name to the 255 bytes of file systems, and keeps the end with the file extension. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= mostBytes) return name;
  const extension = /\.[\w-]{1,10}$/.exec(name)?.[0] ?? '';
  let stem = '';
  let bytes = extension.length;
  for (const letter of name.slice(0, name.length - extension.length)) {
    bytes += Buffer.byteLength(letter);
    if (bytes > mostBytes) break;
    stem += letter;
  }
  return stem + extension;
}

/** Encodes by RFC 8187, which allows fewer characters than `encodeURIComponent` leaves. */
function encode(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
