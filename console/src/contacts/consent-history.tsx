import type { ConsentRecord } from '@majlis/console-api';
import type { Contact } from '@majlis/contract';
import { CircleCheck, CircleSlash, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link } from 'wouter';
import { lazyDesk } from '../app/lazy-page.tsx';
import { useLiveQuery } from '../live/live-query.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { insteadOfClosable } from '../parts/missing-part.ts';
import { fullTime, t } from '../words/words.ts';
import { type ContactAddress, contactPath } from './contact-data.ts';
import styles from './contact-panel.module.css';
import { actorText, consentName, decisionText, sourceText } from './describe-consent.ts';

const RecordConsentDialog = lazyDesk(
  async () => (await import('./record-consent-dialog.tsx')).RecordConsentDialog,
  insteadOfClosable,
);

const mostShown = 4;

interface Props {
  address: ContactAddress;
  contact: Contact;
  conversation_id: string | undefined;
}

/** The consents of the contact as they are, and how they came about: when, how, by whom. */
export function ConsentHistory({ address, contact, conversation_id }: Props) {
  const [isRecording, setRecording] = useState(false);
  const { workspace_id, contact_id } = address;
  const records = useLiveQuery<{ data: ConsentRecord[] }>(
    `${contactPath(address)}/consent-records?limit=${mostShown}`,
    (change) =>
      (change.kind === 'contact' && change.contact_id === contact_id) ||
      (change.kind === 'message' && change.conversation_id !== undefined && change.conversation_id === conversation_id),
  );
  const consents = Object.entries(contact.consents);
  return (
    <>
      {consents.length === 0 && <p className={styles.soft}>{t('contact.no_consents')}</p>}
      <ul className={styles.consents}>
        {consents.map(([key, value]) => (
          <li key={key}>
            <bdi>{consentName(key)}</bdi>
            <State value={value} />
          </li>
        ))}
      </ul>
      <Loaded query={records}>
        {({ data }) =>
          data.length > 0 && (
            <ol className={styles.records} aria-label={t('consent.history')}>
              {data.map((record) => (
                <Entry key={record.id} record={record} />
              ))}
            </ol>
          )
        }
      </Loaded>
      <div className={styles.line}>
        <Button look="quiet" onPress={() => setRecording(true)}>
          <Plus size={16} aria-hidden />
          {t('consent.record')}
        </Button>
        <Link href={`/w/${workspace_id}/contact-consents/${contact_id}`} className={styles.link!}>
          {t('consent.all')}
        </Link>
      </div>
      <Suspense>
        {isRecording && <RecordConsentDialog address={address} onClose={() => setRecording(false)} />}
      </Suspense>
    </>
  );
}

function State({ value }: { value: unknown }) {
  if (value === true) return <Badge kind="accent">{t('contact.granted')}</Badge>;
  if (value === false) return <Badge kind="warning">{t('contact.withdrawn')}</Badge>;
  return (
    <Badge>
      <bdi>{String(typeof value === 'object' ? JSON.stringify(value) : value)}</bdi>
    </Badge>
  );
}

function Entry({ record }: { record: ConsentRecord }) {
  const { granted, shown_text, decided_at } = record;
  const actor = actorText(record);
  return (
    <li className={styles.record}>
      {granted === false ? <CircleSlash size={16} aria-hidden /> : <CircleCheck size={16} aria-hidden />}
      <div>
        <p>
          <strong>{decisionText(record)}</strong> · <bdi>{consentName(record.consent)}</bdi>
        </p>
        <p className={styles.soft}>
          <time dateTime={decided_at}>{fullTime(decided_at)}</time> · {sourceText(record.source)}
          {actor && (
            <>
              {' · '}
              <bdi>{actor}</bdi>
            </>
          )}
        </p>
        {shown_text && <q dir="auto">{shown_text}</q>}
      </div>
    </li>
  );
}
