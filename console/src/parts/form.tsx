import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Failure, sentenceOf } from '../live/request.ts';
import { currentLanguage, t } from '../words/words.ts';
import { Button } from './button.tsx';
import { wordsOfDetail } from './detail-words.ts';
import { DialogActions } from './dialog-actions.tsx';
import styles from './form.module.css';
import { type Faults, FaultsContext, findFaults, focusFirst } from './form-faults.ts';
import { Notice } from './notice.tsx';

interface Props {
  /** Sends the form. A refusal is shown beside its field, or above the fields. */
  send: (form: FormData) => Promise<void>;
  /** The label of the button. */
  submit: string;
  /** In a card the button fills the line, in a dialog it stands at the end. */
  place?: 'page' | 'card' | 'dialog';
  look?: 'primary' | 'danger';
  /** Something that the form says stands against it. */
  isSendable?: boolean;
  onCancel?: () => void;
  /** What is wrong with the values of now, told while the person types. */
  faults?: Faults;
  /** The label of the button that closes, where the action itself is a cancellation. */
  dismiss?: string;
  children?: ReactNode;
}

/** A form that sends one request. */
export function Form({
  send,
  submit,
  place = 'page',
  look = 'primary',
  isSendable = true,
  onCancel,
  faults,
  dismiss,
  children,
}: Props) {
  const [refusal, setRefusal] = useState<Refusal>(none);
  const [isPending, setPending] = useState(false);
  const isSending = useRef(false);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSending.current) return;
    const form = event.currentTarget;
    const missing = findFaults(form);
    if (Object.keys(missing).length > 0) {
      setRefusal({ fields: missing, sentence: undefined });
      focusFirst(form, missing);
      return;
    }
    const data = new FormData(form);
    const names = new Set([...form.elements].map((element) => element.getAttribute('name')));
    isSending.current = true;
    setPending(true);
    setRefusal(none);
    try {
      await send(data);
    } catch (error) {
      const refused = refusalOf(error, names);
      setRefusal(refused);
      focusFirst(form, refused.fields);
    } finally {
      isSending.current = false;
      setPending(false);
    }
  }

  function forget(name: string) {
    if (!(name in refusal.fields)) return;
    const { [name]: _, ...fields } = refusal.fields;
    setRefusal({ ...refusal, fields });
  }

  const actions = (
    <>
      {onCancel && <Button onPress={onCancel}>{dismiss ?? t('app.cancel')}</Button>}
      <Button type="submit" look={look} wide={place === 'card'} isDisabled={!isSendable} isPending={isPending}>
        {submit}
      </Button>
    </>
  );
  return (
    <form className={styles.form} data-place={place} onSubmit={onSubmit} noValidate>
      <FaultsContext value={{ faults: { ...refusal.fields, ...faults }, forget }}>
        {refusal.sentence && <Notice kind="danger">{refusal.sentence}</Notice>}
        {children}
        {place === 'dialog' ? (
          <DialogActions>{actions}</DialogActions>
        ) : (
          <div className={styles.actions}>{actions}</div>
        )}
      </FaultsContext>
    </form>
  );
}

interface Refusal {
  fields: Faults;
  sentence: string | undefined;
}

const none: Refusal = { fields: {}, sentence: undefined };

function refusalOf(error: unknown, names: ReadonlySet<string | null>): Refusal {
  const members = error instanceof Failure ? [...error.members] : [];
  const others = members.filter(([name]) => !names.has(name));
  // A member without a field has a name that people of other languages do not know.
  const sentence =
    currentLanguage() === 'en'
      ? others.map(([name, detail]) => `${name}: ${detail}`).join(' ')
      : others.length > 0
        ? sentenceOf(error)
        : '';
  return {
    fields: Object.fromEntries(
      members.flatMap(([name, detail]) => (names.has(name) ? [[name, wordsOfDetail(detail)]] : [])),
    ),
    sentence: members.length === 0 ? sentenceOf(error) : sentence || undefined,
  };
}
