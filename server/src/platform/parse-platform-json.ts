import { isObject } from './read-json.ts';

/**
 * Parses JSON from the platform; throws SyntaxError. An integer too large for a double becomes text: webhooks carry template
 * ids as JSON integers, and a rounded id belongs to another template.
 */
export function parsePlatformJson(bytes: Uint8Array | string): unknown {
  const text = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
  // A reviver for every value costs four times the parse, and only these forms need it.
  return needsCheck.test(text) ? JSON.parse(text, storable) : JSON.parse(text);
}

/** An escaped NUL, an escaped surrogate, or a number of 16 digits or more. */
const needsCheck = /\\u(?:0000|[dD][89abcdefABCDEF])|[[:,]\s*-?\d{16}/;

/** `undefined` where the bytes are not JSON, such as the HTML page of a gateway. */
export function tryParsePlatformJson(bytes: Uint8Array): unknown {
  try {
    return parsePlatformJson(bytes);
  } catch {
    return undefined;
  }
}

/**
 * PostgreSQL stores neither U+0000 nor lone surrogates, and one such text would fail its whole batch. Both become U+FFFD, in
 * member names too.
 */
function storable(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value === 'number') return isRounded(value) ? (context?.source ?? value) : value;
  if (!isObject(value) || Object.keys(value).every((name) => clean(name) === name)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [clean(name), member]));
}

function isRounded(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

function clean(text: string): string {
  return text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', '\uFFFD');
}
