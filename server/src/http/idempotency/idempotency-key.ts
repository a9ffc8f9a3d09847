import { Refusal } from '../reply/refusal.ts';

const max_bytes = 255;

/**
 * Reads `Idempotency-Key`, and refuses an invalid one with 422. The draft standard uses a quoted string, most clients a bare one. Both name the same key
 * (hazard H59). Pass each value by itself, since `headers` joins a repeated header into one text.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const values = typeof header === 'string' ? [header] : header;
  if (values.length > 1) throw invalidKey('was sent more than once');
  const value = (values[0] ?? '').trim();
  if (!/^[\x20-\x7e]*$/.test(value)) throw invalidKey('may hold printable ASCII characters only');
  const key = value.startsWith('"') ? unquote(value) : value;
  if (key === undefined) throw invalidKey('opens a quoted string that does not end well');
  if (key === '') throw invalidKey('is empty');
  if (key.length > max_bytes) throw invalidKey(`is longer than ${max_bytes} bytes`);
  return key;
}

function invalidKey(fault: string): Refusal {
  return new Refusal('unprocessable_content', { detail: `Idempotency-Key ${fault}.` });
}

/** RFC 8941, section 3.3.3 allows escapes of the quote and the backslash only. */
function unquote(value: string): string | undefined {
  const [, content] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(value) ?? [];
  return content?.replaceAll(/\\(.)/g, '$1');
}
