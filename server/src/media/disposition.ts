const mostBytes = 180;

/**
 * Content-Disposition with the name in both forms of RFC 6266: a stand-in of safe ASCII for old clients, and the name
 * itself percent-encoded, in which nothing can end the header or the parameter.
 */
export function disposition(type: 'inline' | 'attachment', filename: string | null): string {
  if (!filename) return type;
  const name = shorten(filename);
  const plain = name.replace(/[^\w .()+-]/g, '_');
  return `${type}; filename="${plain}"; filename*=UTF-8''${encode(name)}`;
}

/** File systems take 255 bytes of a name: the end, which says the type, is kept. */
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

/** RFC 8187: what `encodeURIComponent` leaves and the header's grammar does not take is encoded too. */
function encode(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
