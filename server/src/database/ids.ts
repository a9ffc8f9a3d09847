import { idPrefixes } from '@majlis/contract';
import { V7Generator } from 'uuidv7';
import type { Clock } from '../process/clock.ts';

// An id is a UUIDv7 in the database (half the index of a text key, ordered by time) and a TypeID at the edge: prefix,
// underscore, 26 characters of Crockford's base 32. Of the 32 hex digits the first 2 make 2 characters, and each further 5 make
// 4, so no big integer is needed.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const generator = new V7Generator();
// A restored database may move the clock back. Ids then follow it instead of failing.
const rollbackAllowanceMs = 10_000;

/** A new id of this moment, greater than every earlier one of this process. */
export function newId(clock: Clock): string {
  return generator.generateOrResetCore(clock.nowMs(), rollbackAllowanceMs).toString();
}

/** The time of an id, in milliseconds since 1970. */
export function timeOfId(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/** The lowest id of a moment: every id of an earlier one is less. Before 1970, it is that of 1970, for no id is older. */
export function lowestIdAt(moment: Date): string {
  const ms = Math.max(moment.getTime(), 0).toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`;
}

/** SQL of the lowest id of a moment, which is an expression of SQL itself. */
export function lowestIdIn(moment: string): string {
  return `(lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
}

/** The kinds of public ids. The contract gives the last ones no prefix. */
const prefixes = {
  ...idPrefixes,
  channel: `${idPrefixes.channel}wa_`,
  stage: '',
  closing_category: '',
  conversation_change: '',
  knowledge_source: '',
  ai_answer: '',
  webhook_attempt: '',
  person: '',
  session: '',
  passkey: '',
  invitation: '',
  api_key: '',
  audit_entry: '',
  /** The version of a draft. */
  draft: '',
  saved_view: '',
  canned_reply: '',
  scheduled_message: '',
  proposal: '',
  consent_record: '',
  contact_import: '',
  erasure_receipt: '',
} as const;

export type IdKind = keyof typeof prefixes;

/** The TypeID of a UUID: `publicId('message', …)` is `msg_01k…`. */
export function publicId(kind: IdKind, uuid: string): string {
  const hex = uuid.replaceAll('-', '');
  let id = prefixes[kind] + toBase32(hex.slice(0, 2), 2);
  for (let at = 2; at < hex.length; at += 5) id += toBase32(hex.slice(at, at + 5), 4);
  return id;
}

function toBase32(hex: string, count: number): string {
  let letters = '';
  for (let rest = Number.parseInt(hex, 16); letters.length < count; rest >>= 5) letters = alphabet[rest & 31] + letters;
  return letters;
}

/** The UUID of a public id of this kind. Undefined for any other text. */
export function parseId(kind: IdKind, text: string): string | undefined {
  const prefix = prefixes[kind];
  const body = text.slice(prefix.length);
  if (!text.startsWith(prefix) || body.length !== 26 || body[0]! > '7') return undefined;
  let hex = '';
  for (let at = 0; at < 26; at += at === 0 ? 2 : 4) {
    const digits = toHex(body.slice(at, at === 0 ? 2 : at + 4), at === 0 ? 2 : 5);
    if (digits === undefined) return undefined;
    hex += digits;
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The UUID of an optional id in a filter. Null for an invalid id, so that the filter matches nothing. */
export function readFilterId(kind: IdKind, text: string | undefined): string | null | undefined {
  return text === undefined ? undefined : (parseId(kind, text) ?? null);
}

/** Undefined for letters outside the alphabet. */
function toHex(letters: string, count: number): string | undefined {
  let number = 0;
  for (const letter of letters) {
    const value = alphabet.indexOf(letter);
    if (value === -1) return undefined;
    number = number * 32 + value;
  }
  return number.toString(16).padStart(count, '0');
}
