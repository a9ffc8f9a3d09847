import type { Contact } from '@majlis/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../live/request.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { t } from '../words/words.ts';
import styles from './workflows.module.css';

const mostFound = 6;
const betweenKeysMs = 200;

export const contactName = ({ name, identities }: Contact) => name ?? identities[0]?.identifier ?? t('inbox.unnamed');

interface Props {
  workspace_id: string;
  onChoose: (contact: Contact) => void;
}

/** Finds a contact by name, number or tag; the latest ones stand there at first. */
export function FindContact({ workspace_id, onChoose }: Props) {
  const [q, setQ] = useState('');
  const query = { limit: String(mostFound), ...(q.trim() !== '' && { q: q.trim() }) };
  const path = `/workspaces/${workspace_id}/contacts?${new URLSearchParams(query)}`;
  const found = useQuery<{ data: Contact[] }>({
    queryKey: [path],
    gcTime: 0,
    placeholderData: keepPreviousData,
    async queryFn({ signal }) {
      await new Promise((resolve) => setTimeout(resolve, betweenKeysMs));
      signal.throwIfAborted();
      return request<{ data: Contact[] }>('GET', path);
    },
  });
  return (
    <div className={styles.group}>
      <Field label={t('workflows.find_contact')} type="search" value={q} onChange={setQ} />
      {found.data?.data.length === 0 && <p className={styles.soft}>{t('workflows.no_contact')}</p>}
      <ul className={styles.found}>
        {found.data?.data.map((contact) => (
          <li key={contact.id}>
            <Button look="quiet" wide onPress={() => onChoose(contact)}>
              <Avatar name={contactName(contact)} size="s" />
              <bdi>{contactName(contact)}</bdi>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
