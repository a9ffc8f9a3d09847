import type { ContactUpdate, ContactUpsert, CustomField, Identity } from '@majlis/contract';
import { IsEmail } from 'typebox/format';
import { parseId } from '../database/ids.ts';
import { invalid, type MemberFault, type Refusal, unknownReference } from '../http/reply/refusal.ts';
import { waIdVariants } from '../platform/number-variants.ts';
import { normalizePhone, phoneDigits } from './normalize-phone.ts';
import { type ContactChange, refuseValue } from './rules.ts';

/** The custom fields, options and stages of the workspace that a body names. */
export interface Vocabulary {
  country: string | undefined;
  custom_fields: ReadonlyMap<string, Pick<CustomField, 'type' | 'options'>>;
  stage_ids: ReadonlySet<string>;
}

/** An identity with its identifier as stored: E.164, or an address in lower case. */
export interface ReadIdentity {
  channel_type: string;
  identifier: string;
  display_name: string | undefined;
  /** Other spellings of the number, under which the person may be stored. */
  variants: string[];
  wa_id: string | undefined;
  user_id: string | undefined;
}

/** An identity of a body, and the index of its first mention. */
export interface PlacedIdentity extends ReadIdentity {
  place: number;
}

/** A fault of a body. An import reports `code` for the row. */
export interface Fault extends MemberFault {
  code: 'invalid_phone' | 'unprocessable_content';
}

/** 422 with the pointers of the faults. */
export function refuseFaults(faults: readonly Fault[]): Refusal {
  return invalid(faults.map(({ code, ...fault }) => fault));
}

export type ReadResult<Value> = { ok: true; value: Value } | { ok: false; faults: Fault[] };

// An index key takes at most 2,700 bytes; no number, handle or address is that long.
const longestIdentifier = 512;

/** Reads the members of a body; custom fields and the stage are checked against the vocabulary. */
export function readChange(body: ContactUpsert | ContactUpdate, vocabulary: Vocabulary): ReadResult<ContactChange> {
  const { stage_id, custom_fields = {}, ...members } = body;
  const faults = checkValues(custom_fields, vocabulary);
  const stage = stage_id == null ? stage_id : parseId('stage', stage_id);
  if (stage_id != null && !(stage && vocabulary.stage_ids.has(stage))) {
    faults.push({ ...unknownReference('names no stage', '/stage_id'), code: 'unprocessable_content' });
  }
  if (faults.length > 0) return { ok: false, faults };
  const { name, email, language, vip, tags } = members;
  const blocked = 'blocked' in members ? members.blocked : undefined;
  const consents = 'consents' in members ? members.consents : undefined;
  return { ok: true, value: { name, email, language, vip, blocked, tags, consents, stage_id: stage, custom_fields } };
}

function checkValues(values: Record<string, unknown>, { custom_fields }: Vocabulary): Fault[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const field = custom_fields.get(key);
    const detail = field ? refuseValue(field, value) : 'is not the key of a custom field';
    return detail ? [unprocessable(detail, `/custom_fields/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)] : [];
  });
}

/** The identities of an upsert, each once. Where one is named twice, the later display name wins. */
export function readIdentities(
  identities: readonly Identity[],
  country: string | undefined,
): ReadResult<PlacedIdentity[]> {
  if (identities.length === 0) return { ok: false, faults: [unprocessable('must name an identity', '/identities')] };
  const faults: Fault[] = [];
  const read = new Map<string, PlacedIdentity>();
  for (const [index, identity] of identities.entries()) {
    const found = readIdentity(identity, country);
    if ('detail' in found) {
      faults.push({ ...found, pointer: `/identities/${index}/identifier` });
      continue;
    }
    const key = identityKey(found);
    const before = read.get(key);
    const display_name = found.display_name ?? before?.display_name;
    read.set(key, { ...found, display_name, place: before?.place ?? index });
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: [...read.values()] };
}

export function identityKey({ channel_type, identifier }: { channel_type: string; identifier: string }): string {
  return `${channel_type} ${identifier}`;
}

// The user id of a customer whose number the platform hides (platform-protocol, section 12).
const userId = /^[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,128}$/;

function readIdentity(
  { channel_type, identifier: given, display_name }: Identity,
  country: string | undefined,
): ReadIdentity | Omit<Fault, 'pointer'> {
  const identifier = given.replace(outerInvisible, '');
  const plain = { channel_type, identifier, display_name, variants: [], wa_id: undefined, user_id: undefined };
  if (identifier === '') return { code: 'unprocessable_content', detail: 'must not be empty' };
  if (identifier.length > longestIdentifier) {
    return { code: 'unprocessable_content', detail: `is longer than ${longestIdentifier} characters` };
  }
  switch (channel_type) {
    case 'chatapp':
    case 'sms': {
      if (channel_type === 'chatapp' && userId.test(identifier)) return { ...plain, user_id: identifier };
      const e164 = normalizePhone(identifier, country);
      if (!e164) return { code: 'invalid_phone', detail: 'is not a phone number' };
      const wa_id = phoneDigits(e164);
      return { ...plain, identifier: e164, wa_id, variants: waIdVariants(wa_id).slice(1) };
    }
    case 'email':
      if (!IsEmail(identifier)) return { code: 'unprocessable_content', detail: 'is not an e-mail address' };
      return { ...plain, identifier: identifier.toLowerCase() };
    default:
      return plain;
  }
}

// A match begins at the first character of a run alone: without the lookbehind, inner runs take quadratic time (hazard H109).
const outerInvisible = /^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu;

function unprocessable(detail: string, pointer: string): Fault {
  return { code: 'unprocessable_content', detail, pointer };
}
