import { isObject } from './read-json.ts';

/**
 * Parses what the platform wrote. An integer too large for a double becomes its own digits as text: ids of templates are JSON
 * integers in webhooks, and a rounded id is another template's. Throws a SyntaxError on what is not JSON.
 */
export function parsePlatformJson(bytes: Uint8Array | string): unknown {
  const text = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
  // The check of every value costs four times the parsing, and only these forms can need it.
  return needsCheck.test(text) ? JSON.parse(text, storable) : JSON.parse(text);
}

/** An escaped NUL, an escaped half of a surrogate pair, or a number with so many digits. */
const needsCheck = /\\u(?:0000|[dD][89abcdefABCDEF])|[[:,]\s*-?\d{16}/;

/** `undefined` for what is not JSON: a gateway's HTML page, or nothing. */
export function tryParsePlatformJson(bytes: Uint8Array): unknown {
  try {
    return parsePlatformJson(bytes);
  } catch {
    return undefined;
  }
}

/**
 * PostgreSQL stores neither U+0000 nor half a surrogate pair, and one such text would take the rest of its batch down with it:
 * both become U+FFFD, in names too.
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
