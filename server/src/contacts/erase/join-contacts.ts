import type { ContactFields } from '../rules.ts';

/** The columns of a contact that a merge decides. */
export interface JoinedFields extends ContactFields {
  name_key: string;
  email_key: string;
  dialect: string | null;
  last_activity_at: Date | null;
  created_at: Date;
  marketing_told_at: Date | null;
}

/**
 * The fields of the survivor after a merge: its own values stay, and missing ones come from the source. Where a wrong
 * value would reach the customer, the stricter one wins: blocked if either was, and no consent that either withdrew.
 */
export function joinContacts(survivor: JoinedFields, source: JoinedFields): JoinedFields {
  const named = survivor.name === null ? source : survivor;
  const addressed = survivor.email === null ? source : survivor;
  return {
    name: named.name,
    name_key: named.name_key,
    email: addressed.email,
    email_key: addressed.email_key,
    language: survivor.language ?? source.language,
    dialect: survivor.dialect ?? source.dialect,
    vip: survivor.vip || source.vip,
    blocked: survivor.blocked || source.blocked,
    tags: [...new Set([...survivor.tags, ...source.tags])],
    stage_id: survivor.stage_id ?? source.stage_id,
    consents: joinConsents(survivor.consents, source.consents),
    custom_fields: { ...source.custom_fields, ...survivor.custom_fields },
    last_activity_at: latest(survivor.last_activity_at, source.last_activity_at),
    created_at: survivor.created_at < source.created_at ? survivor.created_at : source.created_at,
    marketing_told_at: latest(survivor.marketing_told_at, source.marketing_told_at),
  };
}

function joinConsents(survivor: Record<string, unknown>, source: Record<string, unknown>): Record<string, unknown> {
  const withdrawn = Object.entries(source).filter(([, consent]) => consent === false);
  return { ...source, ...survivor, ...Object.fromEntries(withdrawn) };
}

function latest(a: Date | null, b: Date | null): Date | null {
  return a === null || (b !== null && b > a) ? b : a;
}
