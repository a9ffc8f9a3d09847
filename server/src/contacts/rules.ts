import type { CustomField } from '@majlis/contract';
import { IsDate } from 'typebox/format';

/** What of a contact is changed through the API; ids of stages as they are stored. */
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

/** The members that were sent. */
export type ContactChange = { [Name in keyof ContactFields]?: ContactFields[Name] | undefined };

export const blank: ContactFields = Object.freeze({
  ...{ name: null, email: null, language: null, vip: false, blocked: false, tags: [], stage_id: null },
  ...{ consents: {}, custom_fields: {} },
});

/**
 * The contact after a change. What was not sent stays, down to each custom field and each consent, which are members
 * too; a custom field that is null has no value any more. Tags are replaced, each kept once.
 */
export function changeContact(fields: ContactFields, change: ContactChange): ContactFields {
  const { tags, consents, custom_fields, ...rest } = change;
  const sent = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...fields,
    ...Object.fromEntries(sent),
    tags: tags ? [...new Set(tags)] : fields.tags,
    consents: { ...fields.consents, ...consents },
    custom_fields: withValues(fields.custom_fields, custom_fields),
  };
}

function withValues(standing: Record<string, unknown>, sent: Record<string, unknown> = {}): Record<string, unknown> {
  const entries = Object.entries({ ...standing, ...sent });
  return Object.fromEntries(entries.filter(([key, value]) => value !== null || !Object.hasOwn(sent, key)));
}

/** Why this is no value of the custom field; undefined where it is one. */
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
