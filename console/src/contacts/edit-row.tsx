import type { Contact } from '@majlis/contract';
import { Check, Pencil, X } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { Input } from 'react-aria-components';
import { Button } from '../parts/button.tsx';
import { t } from '../words/words.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import type { ContactAddress } from './contact-data.ts';
import styles from './edit-row.module.css';
import { type Member, useEdit } from './use-edit.ts';

/** How a value is typed. */
export interface Typed {
  type: 'text' | 'email' | 'number' | 'date';
  /** Left to right in both languages. */
  ltr?: boolean;
  /** Undefined: the text is no such value. */
  parse?: (text: string) => unknown;
  show?: (value: unknown) => string;
}

interface Props {
  address: ContactAddress;
  contact: Contact;
  label: string;
  member: Member;
  typed: Typed;
  isHeading?: boolean;
}

const plain = (value: unknown) => (value === null ? '' : String(value));

/** A value that a person edits in its place: Enter saves, Escape gives up. */
export function EditRow({ address, contact, label, member, typed, isHeading = false }: Props) {
  const { save, saving, conflict, dismiss } = useEdit(address, member);
  // The value that the person began with.
  const [edited, setEdited] = useState<{ from: unknown; fault?: string }>();
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  const stored = member.read(contact);
  const { parse = (text: string) => text, show = plain } = typed;
  const shown = (value: unknown) => (
    <bdi dir={typed.ltr ? 'ltr' : 'auto'}>{value === null ? t('contact.none') : show(value)}</bdi>
  );

  function end() {
    setEdited(undefined);
    // The pencil is there again after this is drawn.
    setTimeout(() => row.current?.querySelector('button')?.focus());
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('value')).trim();
    const value = text === '' ? null : parse(text);
    if (value === undefined) return setEdited({ ...edited!, fault: t('contact.refused') });
    if (await save(value, edited!.from)) end();
  }

  if (edited) {
    const value = saving ? saving.value : edited.from;
    return (
      <form className={styles.form} data-heading={isHeading || undefined} onSubmit={submit} noValidate>
        <div className={styles.label}>
          <label htmlFor={id}>{label}</label>
          <Input
            id={id}
            name="value"
            className={styles.input!}
            autoFocus
            type={typed.type === 'number' ? 'text' : typed.type}
            {...(typed.type === 'number' && { inputMode: 'decimal' })}
            dir={typed.ltr ? 'ltr' : 'auto'}
            placeholder=" "
            maxLength={2_000}
            defaultValue={plain(value)}
            aria-invalid={edited.fault !== undefined}
            onKeyDown={({ key }) => key === 'Escape' && end()}
          />
        </div>
        <Button look="quiet" type="submit" aria-label={t('app.save')} isPending={saving !== undefined}>
          <Check size={18} aria-hidden />
        </Button>
        <Button look="quiet" aria-label={t('app.cancel')} onPress={end}>
          <X size={18} aria-hidden />
        </Button>
        {edited.fault && (
          <p className={styles.fault} role="alert">
            {edited.fault}
          </p>
        )}
      </form>
    );
  }
  return (
    <div className={styles.row} ref={row} data-heading={isHeading || undefined}>
      {!isHeading && <span className={styles.label}>{label}</span>}
      <span className={styles.value} data-empty={stored === null || undefined}>
        {isHeading ? <h3>{stored === null ? t('inbox.unnamed') : <bdi>{show(stored)}</bdi>}</h3> : shown(stored)}
      </span>
      <Button look="quiet" aria-label={t('contact.edit', { field: label })} onPress={() => setEdited({ from: stored })}>
        <Pencil size={14} aria-hidden />
      </Button>
      {conflict && (
        <ConflictNotice
          field={label}
          conflict={conflict}
          show={shown}
          onKeep={dismiss}
          onTake={() => void save(conflict.yours, conflict.now)}
          isPending={saving !== undefined}
        />
      )}
    </div>
  );
}
