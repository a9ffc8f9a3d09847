import type { CustomField, ErrorDetail } from '@majlis/contract';
import { IsDate } from 'typebox/format';

/** The fields of a contact that the API changes; `stage_id` is the stored id. */
export interface ContactFields {
  name: string | null;
  email: string | null;
  language: string | null;
  vip: boolean;
  blocked: boolean;
  tags: string[];
  stage_id: string | null;
  consents: Record<string, unknown>;
  custom_fields: Record<string, unknown>;
}

/** The members of a request; undefined where one was not sent. */
export type ContactChange = { [Name in keyof ContactFields]?: ContactFields[Name] | undefined };

export const blank: ContactFields = Object.freeze({
  ...{ name: null, email: null, language: null, vip: false, blocked: false, tags: [], stage_id: null },
  ...{ consents: {}, custom_fields: {} },
});

/**
 * The contact after a change. Members that were not sent stay, and so does each custom field and consent. A custom field
 * of null is removed. Tags are replaced, without repeats.
 */
export function changeContact(fields: ContactFields, change: ContactChange): ContactFields {
  const { tags, consents, custom_fields, ...rest } = change;
  const sent = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...fields,
    ...Object.fromEntries(sent),
    tags: tags ? [...new Set(tags)] : fields.tags,
    consents: { ...fields.consents, ...consents },
    custom_fields: mergeValues(fields.custom_fields, custom_fields),
  };
}

function mergeValues(stored: Record<string, unknown>, sent: Record<string, unknown> = {}): Record<string, unknown> {
  const entries = Object.entries({ ...stored, ...sent });
  return Object.fromEntries(entries.filter(([key, value]) => value !== null || !Object.hasOwn(sent, key)));
}

/** The characters of the members that grow with each change. */
export function sizeOf({ tags, consents, custom_fields, identities }: GrowingFields): number {
  return JSON.stringify([tags, consents, custom_fields, identities]).length;
}

type GrowingFields = Pick<ContactChange, 'tags' | 'consents' | 'custom_fields'> & { identities?: readonly unknown[] };

/** Many small changes must not make a contact that stops the service when it is read: the reason to refuse a larger one. */
export function refuseLarger(
  before: GrowingFields,
  after: GrowingFields,
  { document: most }: { document: number },
): ErrorDetail | undefined {
  const size = sizeOf(after);
  if (size <= most || size <= sizeOf(before)) return undefined;
  return { detail: `would have more than ${most} characters in all`, pointer: '' };
}

/** Why the value does not fit the custom field; undefined where it does. */
export function refuseValue({ type, options }: Pick<CustomField, 'type' | 'options'>, value: unknown) {
  if (value === null) return undefined;
  switch (type) {
    case 'text':
      return typeof value === 'string' ? undefined : 'must be a text';
    case 'number':
      return typeof value === 'number' ? undefined : 'must be a number';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'date':
      return typeof value === 'string' && IsDate(value) ? undefined : 'must be a date like 2026-11-20';
    case 'select':
      return options?.some((option) => option === value) ? undefined : 'must be one of the options of the field';
  }
}
