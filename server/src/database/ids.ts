import { idPrefixes } from '@majlis/contract';
import { V7Generator } from 'uuidv7';
import type { Clock } from '../process/clock.ts';

// An id is a UUIDv7 in the database (half the index of a text key, ordered by time) and a TypeID at the edge:
// prefix, underscore, 26 characters of Crockford's base 32. 128 bits are 2 hex digits, which make 2 characters, and
// six times 5 hex digits, which make 4 characters each: no big integers on the way, and no strings (0.1 µs instead of 3,
// and a page of a list shows over a hundred).
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const letterValues = new Map([...alphabet].map((letter, value) => [letter, value]));
const letterCodes = Buffer.from(alphabet);
const spelled = Buffer.alloc(26);
const hyphen = '-'.charCodeAt(0);
// By character code, as UUIDs are written.
const hexValues = new Uint8Array(128);
for (const [value, digit] of [...'0123456789abcdef'].entries()) hexValues[digit.charCodeAt(0)] = value;
const generator = new V7Generator();
// The clock may be moved back by a restored database: ids follow it instead of failing.
const rollbackAllowanceMs = 10_000;

/** A new id of this moment, greater than every earlier one of this process. */
export function newId(clock: Clock): string {
  return generator.generateOrResetCore(clock.nowMs(), rollbackAllowanceMs).toString();
}

/** When an id was made, in milliseconds since 1970. */
export function timeOfId(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/** The kinds of things that have a public id. The contract gives the last ones no prefix. */
const prefixes = {
  ...idPrefixes,
  channel: `${idPrefixes.channel}wa_`,
  stage: '',
  closing_category: '',
  knowledge_source: '',
  ai_answer: '',
  webhook_attempt: '',
} as const;

export type IdKind = keyof typeof prefixes;

/** The TypeID of a UUID: `publicId('message', …)` is `msg_01k…`. */
export function publicId(kind: IdKind, uuid: string): string {
  let value = (hexValues[uuid.charCodeAt(0)]! << 4) | hexValues[uuid.charCodeAt(1)]!;
  spell(value, 0, 2);
  let at = 2;
  for (let letter = 2; letter < 26; letter += 4) {
    value = 0;
    for (let digits = 0; digits < 5; at++) {
      const code = uuid.charCodeAt(at);
      if (code === hyphen) continue;
      value = (value << 4) | hexValues[code]!;
      digits++;
    }
    spell(value, letter, 4);
  }
  return prefixes[kind] + spelled.toString('latin1');
}

/** Writes the letters of a value, the last one for its last five bits. */
function spell(value: number, from: number, count: number): void {
  for (let at = from + count - 1, rest = value; at >= from; at--, rest >>= 5) spelled[at] = letterCodes[rest & 31]!;
}

/** The UUID of a public id of this kind. Undefined for any other text, which names nothing. */
export function parseId(kind: IdKind, text: string): string | undefined {
  const prefix = prefixes[kind];
  const body = text.slice(prefix.length);
  if (!text.startsWith(prefix) || body.length !== 26 || body[0]! > '7') return undefined;
  let hex = '';
  for (let at = 0; at < 26; at += at === 0 ? 2 : 4) {
    const digits = hexDigits(body.slice(at, at === 0 ? 2 : at + 4), at === 0 ? 2 : 5);
    if (digits === undefined) return undefined;
    hex += digits;
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The UUID of an optional id in a filter. Null for a text that names nothing, so that nothing matches the filter. */
export function readFilterId(kind: IdKind, text: string | undefined): string | null | undefined {
  return text === undefined ? undefined : (parseId(kind, text) ?? null);
}

function hexDigits(text: string, count: number): string | undefined {
  let number = 0;
  for (const letter of text) {
    const value = letterValues.get(letter);
    if (value === undefined) return undefined;
    number = number * 32 + value;
  }
  return number.toString(16).padStart(count, '0');
}
