import type { Contact } from '@majlis/contract';
import { Choice } from '../parts/choice.tsx';
import { Switch } from '../parts/switch.tsx';
import { t } from '../words/words.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import type { ContactAddress } from './contact-data.ts';
import styles from './edit-row.module.css';
import { type Member, useEdit } from './use-edit.ts';

interface ChoiceProps {
  address: ContactAddress;
  contact: Contact;
  label: string;
  member: Member;
  /** The values, each with its name. */
  options: readonly { value: unknown; label: string }[];
}

const idOf = (value: unknown) => (value === null ? 'none' : JSON.stringify(value));

/** One of a few values, saved when it is chosen. */
export function ChoiceRow({ address, contact, label, member, options }: ChoiceProps) {
  const { save, saving, conflict, dismiss } = useEdit(address, member);
  const stored = member.read(contact);
  const value = saving ? saving.value : stored;
  const all = [{ value: null, label: t('contact.none') }, ...options];
  const nameOf = (one: unknown) => all.find((option) => idOf(option.value) === idOf(one))?.label ?? String(one);
  const known = all.some((option) => idOf(option.value) === idOf(value))
    ? all
    : [...all, { value, label: String(value) }];
  return (
    <div className={styles.row}>
      <span className={styles.label} aria-hidden>
        {label}
      </span>
      <span className={styles.control}>
        <Choice
          label={label}
          isLabelHidden
          options={known.map((option) => ({ id: idOf(option.value), label: option.label }))}
          value={idOf(value)}
          onChange={(id) => void save(known.find((option) => idOf(option.value) === id)!.value, stored)}
        />
      </span>
      {conflict && (
        <ConflictNotice
          field={label}
          conflict={conflict}
          show={(one) => <bdi>{nameOf(one)}</bdi>}
          onKeep={dismiss}
          onTake={() => void save(conflict.yours, conflict.now)}
          isPending={saving !== undefined}
        />
      )}
    </div>
  );
}

interface SwitchProps extends Omit<ChoiceProps, 'options'> {
  hint?: string;
}

/** Yes or no, saved when it is pressed. */
export function SwitchRow({ address, contact, label, hint, member }: SwitchProps) {
  const { save, saving, conflict, dismiss } = useEdit(address, member);
  const stored = member.read(contact) === true;
  const value = saving ? saving.value === true : stored;
  return (
    <div className={styles.row}>
      <div className={styles.switch}>
        <Switch label={label} isSelected={value} onChange={(isOn) => void save(isOn, stored)} />
        {hint && value && <p className={styles.hint}>{hint}</p>}
      </div>
      {conflict && (
        <ConflictNotice
          field={label}
          conflict={conflict}
          show={(one) => t(one === true ? 'contact.yes' : 'contact.no')}
          onKeep={dismiss}
          onTake={() => void save(conflict.yours, conflict.now)}
          isPending={saving !== undefined}
        />
      )}
    </div>
  );
}
