import type { MergePreview } from '@majlis/console-api';
import type { Contact } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useReread } from '../live/live-query.ts';
import { request } from '../live/request.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { tell } from '../parts/toasts.ts';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { type ContactAddress, contactPath, showContact, useContact } from './contact-data.ts';
import styles from './contact-panel.module.css';

interface Props {
  address: ContactAddress;
  contact: Contact;
  onClose: () => void;
}

/** Finds another contact who is the same person, shows what would move, and merges it into this one. */
export function MergeDialog({ address, contact, onClose }: Props) {
  const [other, choose] = useState<Contact>();
  return (
    <Dialog title={t('merge.title')} onClose={onClose}>
      {other ? (
        <Confirm address={address} contact={contact} other={other} onBack={() => choose(undefined)} onClose={onClose} />
      ) : (
        <Find address={address} onChoose={choose} onClose={onClose} />
      )}
    </Dialog>
  );
}

const mostFound = 8;
const betweenKeysMs = 200;

function Find({ address, onChoose, onClose }: Omit<Props, 'contact'> & { onChoose: (contact: Contact) => void }) {
  const [q, setQ] = useState('');
  const { workspace_id, contact_id } = address;
  const path = `/workspaces/${workspace_id}/contacts?${new URLSearchParams({ q: q.trim(), limit: String(mostFound) })}`;
  const found = useQuery({
    queryKey: [path],
    enabled: q.trim() !== '',
    gcTime: 0,
    async queryFn({ signal }) {
      await new Promise((resolve) => setTimeout(resolve, betweenKeysMs));
      signal.throwIfAborted();
      return request<{ data: Contact[] }>('GET', path);
    },
  });
  useReread(path, ({ kind, ...change }) => {
    const changed = kind === 'contact' && 'contact_id' in change ? change.contact_id : undefined;
    return found.data?.data.some(({ id }) => id === changed) ?? false;
  });
  const others = found.data?.data.filter(({ id }) => id !== contact_id) ?? [];
  return (
    <>
      <p>{t('merge.hint')}</p>
      <Field label={t('merge.search')} value={q} onChange={setQ} autoFocus type="search" />
      {found.data && others.length === 0 && <p className={styles.soft}>{t('merge.nobody')}</p>}
      <ul className={styles.found}>
        {others.map((one) => (
          <li key={one.id}>
            <Button look="quiet" wide onPress={() => onChoose(one)}>
              <Avatar name={nameOf(one)} size="s" />
              <span className={styles.foundText}>
                <bdi>{nameOf(one)}</bdi>
                <small>
                  <bdi dir="ltr">{one.identities[0]?.identifier}</bdi>
                </small>
              </span>
            </Button>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onPress={onClose}>{t('app.cancel')}</Button>
      </DialogActions>
    </>
  );
}

const nameOf = ({ name, identities }: Contact) => name ?? identities[0]?.identifier ?? t('inbox.unnamed');

interface ConfirmProps extends Props {
  other: Contact;
  onBack: () => void;
}

function Confirm({ address, contact, other, onBack, onClose }: ConfirmProps) {
  const { isGone } = useContact({ workspace_id: address.workspace_id, contact_id: other.id });
  useEffect(() => {
    if (isGone) onBack();
  }, [isGone, onBack]);
  const path = `${contactPath(address)}/merge-preview?source_contact_id=${other.id}`;
  const preview = useQuery({ queryKey: [path], gcTime: 0, queryFn: () => request<MergePreview>('GET', path) });
  async function merge() {
    const body = { source_contact_id: other.id };
    showContact(address, await request<Contact>('POST', `${contactPath(address)}/merge`, body));
    tell(t('merge.done', { name: isolated(nameOf(other)) }));
    onClose();
  }
  return (
    <Form place="dialog" look="danger" submit={t('merge.confirm')} send={merge} onCancel={onBack}>
      <p>{t('merge.what', { source: isolated(nameOf(other)), survivor: isolated(nameOf(contact)) })}</p>
      <Loaded query={preview}>
        {(counts) => (
          <dl className={styles.counts}>
            {(['identities', 'conversations', 'tags', 'custom_fields', 'consent_records'] as const).map((name) => (
              <div key={name}>
                <dt>{t(`merge.${name}`)}</dt>
                <dd>{counts[name]}</dd>
              </div>
            ))}
          </dl>
        )}
      </Loaded>
      <Notice>{t('merge.final')}</Notice>
    </Form>
  );
}
