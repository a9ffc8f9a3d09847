import type { ContactValues } from '@majlis/console-api';
import type { Contact } from '@majlis/contract';
import { useState } from 'react';
import { Failure, sentenceOf } from '../live/request.ts';
import { tell } from '../parts/toasts.ts';
import { t } from '../words/words.ts';
import { type ContactAddress, editContact, readContact } from './contact-data.ts';

/** A member of a contact that a person changes: of the contact itself, or a custom field. */
export interface Member {
  read: (contact: Contact) => unknown;
  write: (value: unknown) => ContactValues;
}

export const memberOf = (name: Exclude<keyof ContactValues, 'custom_fields'>): Member => ({
  read: (contact) => contact[name] ?? null,
  write: (value) => ({ [name]: value }),
});

export const fieldOf = (key: string): Member => ({
  read: (contact) => contact.custom_fields?.[key] ?? null,
  write: (value) => ({ custom_fields: { [key]: value } }),
});

export interface Conflict {
  now: unknown;
  yours: unknown;
}

/** The saving of one member. Where somebody changed it meanwhile, the person chooses: nothing is overwritten unseen (danger C11). */
export function useEdit(address: ContactAddress, member: Member) {
  const [saving, setSaving] = useState<{ value: unknown }>();
  const [conflict, setConflict] = useState<Conflict>();

  /** Resolves to false where the service refuses the value: the person goes on with it. */
  async function save(value: unknown, expected: unknown): Promise<boolean> {
    if (value === expected) return true;
    setSaving({ value });
    try {
      await editContact(address, { expected: member.write(expected), changes: member.write(value) });
      setConflict(undefined);
      return true;
    } catch (error) {
      if (error instanceof Failure && error.code === 'changed_meanwhile') return await compare(value);
      tell(reasonOf(error), 'danger');
      return false;
    } finally {
      setSaving(undefined);
    }
  }

  async function compare(yours: unknown): Promise<boolean> {
    try {
      const now = member.read(await readContact(address));
      // Both wanted the same.
      setConflict(now === yours ? undefined : { now, yours });
      return true;
    } catch (error) {
      tell(sentenceOf(error), 'danger');
      return false;
    }
  }

  return { save, saving, conflict, dismiss: () => setConflict(undefined) };
}

/** The refusal of a value names it. */
function reasonOf(error: unknown): string {
  const isRefused = error instanceof Failure && error.members.size > 0;
  return isRefused ? t('contact.refused') : sentenceOf(error);
}
