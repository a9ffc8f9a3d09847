import type { ContactUpdate, ContactUpsert, CustomField, ErrorDetail, Identity } from '@majlis/contract';
import { IsEmail } from 'typebox/format';
import { parseId } from '../database/ids.ts';
import { invalid, type Refusal } from '../http/reply/refusal.ts';
import { waIdVariants } from '../platform/number-variants.ts';
import { normalizePhone, phoneDigits } from './normalize-phone.ts';
import { type ContactChange, refuseValue } from './rules.ts';

/** What a body may name: of its workspace. */
export interface Vocabulary {
  country: string | undefined;
  custom_fields: ReadonlyMap<string, Pick<CustomField, 'type' | 'options'>>;
  stage_ids: ReadonlySet<string>;
}

/** An identity in the spelling under which it is kept. */
export interface ReadIdentity {
  channel_type: string;
  identifier: string;
  display_name: string | undefined;
  /** Other spellings under which the same person may be known already. */
  variants: string[];
  wa_id: string | undefined;
  user_id: string | undefined;
}

/** An identity of a body, and where in its list it is named first. */
export interface PlacedIdentity extends ReadIdentity {
  place: number;
}

/** `code` is that of an import's row. */
export interface Fault extends ErrorDetail {
  code: 'invalid_phone' | 'unprocessable_content';
}

/** 422 with the places of the faults. */
export function refuseFaults(faults: readonly Fault[]): Refusal {
  return invalid(...faults.map(({ detail, pointer }) => ({ detail, pointer })));
}

export type Read<Value> = { ok: true; value: Value } | { ok: false; faults: Fault[] };

// An identifier is a key of the database, which takes 2,700 bytes; no number, handle or address comes near.
const longestIdentifier = 512;

/** The members of a body that are more than its schema says: custom fields by their definitions, the stage by its id. */
export function readChange(body: ContactUpsert | ContactUpdate, vocabulary: Vocabulary): Read<ContactChange> {
  const { stage_id, custom_fields = {}, ...members } = body;
  const faults = faultsOfValues(custom_fields, vocabulary);
  const stage = stage_id == null ? stage_id : parseId('stage', stage_id);
  if (stage_id != null && !(stage && vocabulary.stage_ids.has(stage))) {
    faults.push(unprocessable('names no stage', '/stage_id'));
  }
  if (faults.length > 0) return { ok: false, faults };
  const { name, email, language, vip, tags } = members;
  const blocked = 'blocked' in members ? members.blocked : undefined;
  const consents = 'consents' in members ? members.consents : undefined;
  return {
    ok: true,
    value: { name, email, language, vip, blocked, tags, consents, stage_id: stage, custom_fields },
  };
}

function faultsOfValues(values: Record<string, unknown>, { custom_fields }: Vocabulary): Fault[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const field = custom_fields.get(key);
    const detail = field ? refuseValue(field, value) : 'is not the key of a custom field';
    return detail ? [unprocessable(detail, `/custom_fields/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)] : [];
  });
}

/** The identities of an upsert, each once: of two spellings of one, the later name holds. */
export function readIdentities(identities: readonly Identity[], country: string | undefined): Read<PlacedIdentity[]> {
  if (identities.length === 0) return { ok: false, faults: [unprocessable('must name an identity', '/identities')] };
  const faults: Fault[] = [];
  const read = new Map<string, PlacedIdentity>();
  for (const [index, identity] of identities.entries()) {
    const found = readIdentity(identity, country);
    if ('detail' in found) {
      faults.push({ ...found, pointer: `/identities/${index}/identifier` });
      continue;
    }
    const key = keyOf(found);
    const before = read.get(key);
    const display_name = found.display_name ?? before?.display_name;
    read.set(key, { ...found, display_name, place: before?.place ?? index });
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: [...read.values()] };
}

/** One text for one identity. */
export function keyOf({ channel_type, identifier }: { channel_type: string; identifier: string }): string {
  return `${channel_type} ${identifier}`;
}

// A customer whose number the platform keeps to itself (its protocol, section 12).
const userId = /^[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,128}$/;

function readIdentity(
  { channel_type, identifier: given, display_name }: Identity,
  country: string | undefined,
): ReadIdentity | Omit<Fault, 'pointer'> {
  const identifier = given.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '');
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

function unprocessable(detail: string, pointer: string): Fault {
  return { code: 'unprocessable_content', detail, pointer };
}
