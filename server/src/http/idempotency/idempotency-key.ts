const max_bytes = 255;

export interface UnusableKey {
  /** The detail of the 422. */
  detail: string;
}

/**
 * Reads `Idempotency-Key`. The draft standard uses a quoted string, most clients a bare one. Both name the same key
 * (hazard H59). Pass `headersDistinct['idempotency-key']`, since Node joins a repeated header into one text.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined | UnusableKey {
  if (header === undefined) return undefined;
  const values = typeof header === 'string' ? [header] : header;
  if (values.length > 1) return { detail: 'Idempotency-Key was sent more than once.' };
  const value = (values[0] ?? '').trim();
  if (!/^[\x20-\x7e]*$/.test(value)) return { detail: 'Idempotency-Key may hold printable ASCII characters only.' };
  const key = value.startsWith('"') ? unquote(value) : value;
  if (key === undefined) return { detail: 'Idempotency-Key opens a quoted string that does not end well.' };
  if (key === '') return { detail: 'Idempotency-Key is empty.' };
  if (key.length > max_bytes) return { detail: `Idempotency-Key is longer than ${max_bytes} bytes.` };
  return key;
}

/** RFC 8941, section 3.3.3 allows escapes of the quote and the backslash only. */
function unquote(value: string): string | undefined {
  const [, content] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(value) ?? [];
  return content?.replaceAll(/\\(.)/g, '$1');
}
