import { isUtf8 } from 'node:buffer';

export type ParsedJson = { ok: true; value: unknown } | { ok: false; errors: JsonFault[] };

export interface JsonFault {
  detail: string;
  /** RFC 6901. Empty if the fault has no place in a value. */
  pointer: string;
}

const max_depth = 64;

/**
 * Parses a request body and refuses values that the database cannot store exactly, and ambiguous ones: NUL and lone
 * surrogates, numbers that lose precision, duplicate member names, `__proto__`, and deep nesting (hazards H78 to H80).
 * Reports the first fault.
 *
 * RFC 8259, section 8.1, lets a parser skip a byte order mark, which changes no value.
 *
 * One pass over the bytes counts values and finds suspicious bodies, before anything is built. Only suspicious bodies are read
 * token by token. 1 MiB takes a few milliseconds.
 */
export function parseJson(raw: Buffer, max_values = Number.POSITIVE_INFINITY): ParsedJson {
  if (!isUtf8(raw)) return refuse('The body is not valid UTF-8.');
  const traces = scan(raw);
  if (traces.depth > max_depth) return refuse(`The body is nested deeper than ${max_depth} levels.`);
  if (traces.values > max_values) return refuse(`The body has more than ${max_values} values.`);
  const text = textOfBody(raw);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(`The body is not well-formed JSON${placeIn(error)}.`);
  }
  if (!traces.suspicious && !/__proto__|prototype/.test(text) && countMembers(value) === traces.colons) {
    return { ok: true, value };
  }
  const fault = findFault(text);
  return fault ? { ok: false, errors: [fault] } : { ok: true, value };
}

function refuse(detail: string): ParsedJson {
  return { ok: false, errors: [{ detail, pointer: '' }] };
}

/** The text without its byte order mark. */
export function textOfBody(raw: Buffer): string {
  const hasMark = raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf;
  return raw.toString('utf8', hasMark ? 3 : 0);
}

/** Extracts the position alone: the engine's message quotes the body, which may contain personal data. */
function placeIn(error: unknown): string {
  const position = /at position (\d+)/.exec(String(error))?.[1];
  return position ? ` (at character ${position})` : '';
}

/** The values in JSON at most, without building them. */
export function countValues(raw: Buffer): number {
  return scan(raw).values;
}

/** Whether JSON is nested deeper than requests may be. Parsers and the database fail far beyond that, at a depth of their own. */
export function isNestedTooDeep(raw: Buffer): boolean {
  return scan(raw).depth > max_depth;
}

interface Traces {
  depth: number;
  colons: number;
  /** The values at most: each is the first of the body or of its container, or follows a comma. */
  values: number;
  suspicious: boolean;
}

/** Counts depth, colons and values outside strings, and finds escapes and long numbers, which need a token-by-token check. */
function scan(raw: Buffer): Traces {
  let open = 0;
  let depth = 0;
  let colons = 0;
  let values = 1;
  let suspicious = false;
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i]!;
    if (byte === 0x22) {
      while (++i < raw.length && raw[i] !== 0x22) if (raw[i] === 0x5c && raw[++i] === 0x75) suspicious = true;
    } else if (byte === 0x3a) colons++;
    else if (byte === 0x2c) values++;
    else if (byte === 0x7b || byte === 0x5b) {
      values++;
      depth = Math.max(depth, ++open);
    } else if (byte === 0x7d || byte === 0x5d) open--;
    else if (isDigit(byte)) {
      const start = i;
      while (isDigit(raw[i + 1]) || raw[i + 1] === 0x2e) i++;
      // Numbers of up to 15 digits are exact. 0x65 and 0x45 are `e` and `E`.
      if (i - start >= 15 || raw[i + 1] === 0x65 || raw[i + 1] === 0x45) suspicious = true;
    }
  }
  return { depth, colons, values, suspicious };
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** Counts members. The text has more colons than the value has members if a name is duplicate. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item);
    return count;
  }
  for (const member of Object.values(value)) count += 1 + countMembers(member);
  return count;
}

/** An open object or array: the name or index of the current value, and the names read so far. */
interface Level {
  at: string | number;
  names: Set<string> | undefined;
}

/** Reads well-formed JSON token by token. */
function findFault(text: string): JsonFault | undefined {
  const path: Level[] = [];
  let named = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    const level = path.at(-1);
    if (character === '{') path.push({ at: '', names: new Set() });
    else if (character === '[') path.push({ at: 0, names: undefined });
    else if (character === '}' || character === ']') path.pop();
    else if (character === ':') named = true;
    else if (character === ',') {
      named = false;
      if (typeof level?.at === 'number') level.at++;
    } else if (character === '"') {
      const end = endOfString(text, i);
      const string = textOf(text.slice(i, end));
      i = end - 1;
      const is_name = level?.names !== undefined && !named;
      const detail = is_name ? faultOfName(string, path) : faultOfString(string);
      if (detail) return { detail, pointer: pointerTo(is_name && faultOfString(string) ? path.slice(0, -1) : path) };
    } else if (character === '-' || isDigit(character.charCodeAt(0))) {
      const number = /[-+.\deE]+/y;
      number.lastIndex = i;
      const literal = number.exec(text)![0];
      i += literal.length - 1;
      if (!isKept(literal)) return { detail: 'The number cannot be kept without loss.', pointer: pointerTo(path) };
    }
    if (character === '{' || character === '}' || character === '[' || character === ']') named = false;
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return i + 1;
}

function textOf(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

function faultOfString(string: string): string | undefined {
  if (string.includes('\0')) return 'The text contains the NUL character.';
  if (!string.isWellFormed()) return 'The text contains half of a surrogate pair.';
  return undefined;
}

/** Checks a member name and makes it the place of the next value. A faulty name is reported at its object. */
function faultOfName(name: string, path: Level[]): string | undefined {
  const level = path.at(-1)!;
  const fault = faultOfString(name);
  if (fault) return fault;
  level.at = name;
  if (name === '__proto__' || (name === 'prototype' && path.at(-2)?.at === 'constructor')) {
    return 'The member name is not allowed.';
  }
  if (level.names!.has(name)) return 'The member is given more than once.';
  level.names!.add(name);
  return undefined;
}

function pointerTo(path: Level[]): string {
  return path.map(({ at }) => `/${String(at).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A fraction may be rounded, as usual in JSON. An integer beyond 2^53 must be exact as a double. */
function isKept(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER || digitsOf(literal) === digitsOf(value.toExponential());
}

/** The significant digits and the power of ten, equal for all spellings of one number. */
function digitsOf(literal: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(literal)!;
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return `${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
