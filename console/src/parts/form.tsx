import { type FormEvent, type ReactNode, useState } from 'react';
import { Form as AriaForm } from 'react-aria-components';
import { Failure, sentenceOf } from '../live/request.ts';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import { DialogActions } from './dialog-actions.tsx';
import styles from './form.module.css';
import { Notice } from './notice.tsx';

interface Props {
  /** Sends the form. A refusal is shown beside its field, or above the fields. */
  send: (form: FormData) => Promise<void>;
  /** The label of the button. */
  submit: string;
  /** In a card the button fills the line, in a dialog it stands at the end. */
  place?: 'page' | 'card' | 'dialog';
  look?: 'primary' | 'danger';
  onCancel?: () => void;
  /** The label of the button that closes, where the action itself is a cancellation. */
  dismiss?: string;
  children?: ReactNode;
}

/** A form that sends one request. */
export function Form({ send, submit, place = 'page', look = 'primary', onCancel, dismiss, children }: Props) {
  const [refusal, setRefusal] = useState<Refusal>();
  const [isPending, setPending] = useState(false);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const names = new Set([...event.currentTarget.elements].map((element) => element.getAttribute('name')));
    setPending(true);
    setRefusal(undefined);
    try {
      await send(form);
    } catch (error) {
      setRefusal(refusalOf(error, names));
    } finally {
      setPending(false);
    }
  }

  const actions = (
    <>
      {onCancel && <Button onPress={onCancel}>{dismiss ?? t('app.cancel')}</Button>}
      <Button type="submit" look={look} wide={place === 'card'} isPending={isPending}>
        {submit}
      </Button>
    </>
  );
  return (
    <AriaForm
      className={styles.form!}
      data-place={place}
      onSubmit={onSubmit}
      {...(refusal && { validationErrors: refusal.fields })}
    >
      {refusal?.sentence && <Notice kind="danger">{refusal.sentence}</Notice>}
      {children}
      {place === 'dialog' ? <DialogActions>{actions}</DialogActions> : <div className={styles.actions}>{actions}</div>}
    </AriaForm>
  );
}

interface Refusal {
  /** Sentences of single fields, by name. A field forgets its sentence when it changes. */
  fields: Record<string, string>;
  sentence: string | undefined;
}

function refusalOf(error: unknown, names: ReadonlySet<string | null>): Refusal {
  const members = error instanceof Failure ? [...error.members] : [];
  const others = members.filter(([name]) => !names.has(name));
  const sentence = others.map(([name, detail]) => `${name}: ${detail}`).join(' ');
  return {
    fields: Object.fromEntries(members.filter(([name]) => names.has(name))),
    sentence: members.length === 0 ? sentenceOf(error) : sentence || undefined,
  };
}
