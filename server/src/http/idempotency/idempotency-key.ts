const max_bytes = 255;

export interface UnusableKey {
  /** For the 422. */
  detail: string;
}

/**
 * Reads `Idempotency-Key`. The draft standard writes it as a structured string in quotes, most clients write it bare:
 * both name the same key (hazard H59).
 *
 * Node joins a repeated header to one text; to tell, pass `headersDistinct['idempotency-key']`.
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

/** RFC 8941, section 3.3.3: only the quote and the backslash are escaped. */
function unquote(value: string): string | undefined {
  const [, content] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(value) ?? [];
  return content?.replaceAll(/\\(.)/g, '$1');
}
