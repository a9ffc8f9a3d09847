/** What a merge decides of a contact. */
export interface JoinedFields {
  name: string | null;
  name_key: string;
  email: string | null;
  email_key: string;
  language: string | null;
  dialect: string | null;
  vip: boolean;
  blocked: boolean;
  tags: string[];
  stage_id: string | null;
  consents: Record<string, unknown>;
  custom_fields: Record<string, unknown>;
  last_activity_at: Date | null;
  created_at: Date;
  marketing_told_at: Date | null;
}

/**
 * The fields of a contact that took in another: its own stay, and what it lacks comes from the source. Where a wrong
 * guess would reach the customer, the careful side wins: blocked if either was, and no consent that either withdrew.
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
