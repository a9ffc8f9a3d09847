import type { ConsentRecord } from '@majlis/console-api';
import type { Contact } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { Printer, ScrollText } from 'lucide-react';
import type { Membership } from '../live/membership.ts';
import { request } from '../live/request.ts';
import { serverNow } from '../live/session.ts';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { fullTime, t } from '../words/words.ts';
import styles from './consents-page.module.css';
import { contactPath, useContact } from './contact-data.ts';
import { ContactGone } from './contact-gone.tsx';
import { actorText, consentName, decisionText, sourceText } from './describe-consent.ts';

interface Props {
  membership: Membership;
  object?: string | undefined;
}

// A page of paper for a person. Nobody decides so often; who does is shown the latest ones.
const mostPages = 20;

/** Every grant and withdrawal of a contact, to read and to print. */
export function ConsentsPage({ membership, object: contact_id = '' }: Props) {
  const { workspace_id, workspace_name } = membership;
  const address = { workspace_id, contact_id };
  const { query: contact, isGone } = useContact(address);
  const path = `${contactPath(address)}/consent-records`;
  const records = useQuery({ queryKey: [path], queryFn: () => readAll(path), staleTime: 0 });
  if (isGone) return <ContactGone membership={membership} />;
  const print = (
    <span className={styles.screen}>
      <Button onPress={() => window.print()}>
        <Printer size={16} aria-hidden />
        {t('consent.print')}
      </Button>
    </span>
  );
  return (
    <Page title={t('consent.page_title')} action={print}>
      <Loaded query={contact}>{(one) => <Who contact={one} workspace_name={workspace_name} />}</Loaded>
      <Loaded query={records}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={<ScrollText aria-hidden />} title={t('contact.no_consents')} />
          ) : (
            <Records records={all} />
          )
        }
      </Loaded>
    </Page>
  );
}

async function readAll(path: string): Promise<ConsentRecord[]> {
  const all: ConsentRecord[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const query = `?limit=100${cursor ? `&cursor=${cursor}` : ''}`;
    const read = await request<{ data: ConsentRecord[]; next_cursor?: string }>('GET', `${path}${query}`);
    all.push(...read.data);
    cursor = read.next_cursor;
    if (!cursor) break;
  }
  return all;
}

function Who({ contact, workspace_name }: { contact: Contact; workspace_name: string }) {
  return (
    <dl className={styles.who}>
      <div>
        <dt>{t('contact.title')}</dt>
        <dd>
          <bdi>{contact.name ?? t('inbox.unnamed')}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t('contact.handles')}</dt>
        <dd>
          {contact.identities.map(({ channel_type, identifier }) => (
            <p key={`${channel_type} ${identifier}`}>
              <bdi dir="ltr">{identifier}</bdi>
            </p>
          ))}
        </dd>
      </div>
      <div>
        <dt>{t('consent.id')}</dt>
        <dd>
          <bdi dir="ltr">{contact.id}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t('nav.workspace')}</dt>
        <dd>
          <bdi>{workspace_name}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t('consent.made_at')}</dt>
        <dd>{fullTime(new Date(serverNow()).toISOString())}</dd>
      </div>
    </dl>
  );
}

function Records({ records }: { records: readonly ConsentRecord[] }) {
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('consent.when')}</th>
            <th scope="col">{t('consent.consent')}</th>
            <th scope="col">{t('consent.decision')}</th>
            <th scope="col">{t('consent.how')}</th>
            <th scope="col">{t('consent.who')}</th>
            <th scope="col">{t('consent.text')}</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={record.id}>
              <td>
                <time dateTime={record.decided_at}>{fullTime(record.decided_at)}</time>
              </td>
              <td>
                <bdi>{consentName(record.consent)}</bdi>
              </td>
              <td>{decisionText(record)}</td>
              <td>{sourceText(record.source)}</td>
              <td>
                <bdi>{actorText(record) ?? (record.actor_kind === 'contact' ? t('consent.by_contact') : '')}</bdi>
              </td>
              <td dir="auto">{record.shown_text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
