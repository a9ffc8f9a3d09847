import type { Contact } from '@majlis/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { FileDown, FileUp, UserPlus, UsersRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { attempt } from '../app/attempt.ts';
import { ClosedPage } from '../app/unknown-page.tsx';
import { listenToChanges } from '../live/changes.ts';
import { useToday } from '../live/clock.ts';
import { useStages } from '../live/directory.ts';
import { type Membership, mayReachAll } from '../live/membership.ts';
import { queries } from '../live/queries.ts';
import { request } from '../live/request.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field } from '../parts/field.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { tell } from '../parts/toasts.ts';
import { shortTime, t } from '../words/words.ts';
import { useCustomFields } from './contact-data.ts';
import { ContactPage } from './contact-page.tsx';
import styles from './contacts-page.module.css';
import { exportContacts } from './import/export-contacts.ts';
import { ImportPage } from './import/import-page.tsx';
import { NewContactDialog } from './new-contact-dialog.tsx';

interface Props {
  membership: Membership;
  /** A contact, or `import`. */
  object?: string | undefined;
}

interface ContactsOfPage {
  data: Contact[];
  next_cursor?: string;
}

const shownAtOnce = 50;
const betweenKeysMs = 200;
const betweenReadsMs = 2_000;

/** The contacts of a workspace, one of them, or the import of many. */
export function ContactsPage({ membership, object: contact_id }: Props) {
  if (contact_id === 'import') {
    return mayReachAll(membership, 'supervisor') ? <ImportPage membership={membership} /> : <ClosedPage what="role" />;
  }
  if (contact_id) return <ContactPage key={contact_id} membership={membership} contact_id={contact_id} />;
  return <Contacts membership={membership} />;
}

function Contacts({ membership }: { membership: Membership }) {
  const { workspace_id } = membership;
  const base = `/workspaces/${workspace_id}/contacts`;
  const [q, setQ] = useState('');
  const [isAdding, setAdding] = useState(false);
  const [, navigate] = useLocation();
  const wanted = q.trim();
  const contacts = useInfiniteQuery({
    queryKey: [base, 'list', wanted],
    initialPageParam: undefined as string | undefined,
    async queryFn({ pageParam, signal }) {
      if (wanted !== '') await new Promise((resolve) => setTimeout(resolve, betweenKeysMs));
      signal.throwIfAborted();
      const query = new URLSearchParams({
        limit: String(shownAtOnce),
        ...(wanted !== '' && { q: wanted }),
        ...(pageParam !== undefined && { cursor: pageParam }),
      });
      return request<ContactsOfPage>('GET', `${base}?${query}`);
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: (before) => before,
  });
  useChangedContacts(base);
  const actions = (
    <div className={styles.actions}>
      {mayReachAll(membership, 'admin') && <ExportButton workspace_id={workspace_id} />}
      {mayReachAll(membership, 'supervisor') && (
        <Button onPress={() => navigate(`/w/${workspace_id}/contacts/import`)}>
          <FileUp size={18} aria-hidden />
          {t('contacts.import')}
        </Button>
      )}
      <Button look="primary" onPress={() => setAdding(true)}>
        <UserPlus size={18} aria-hidden />
        {t('contacts.new')}
      </Button>
    </div>
  );
  return (
    <Page title={t('contacts.title')} hint={t('contacts.hint')} action={actions}>
      <Field label={t('contacts.search')} type="search" value={q} onChange={setQ} />
      <Loaded query={contacts}>
        {({ pages }) => {
          const all = pages.flatMap(({ data }) => data);
          if (all.length === 0) {
            return wanted === '' ? (
              <Empty icon={<UsersRound aria-hidden />} title={t('contacts.empty')} hint={t('contacts.empty_hint')} />
            ) : (
              <Empty icon={<UsersRound aria-hidden />} title={t('contacts.none_found')} />
            );
          }
          return (
            <List>
              {all.map((contact) => (
                <ContactRow key={contact.id} workspace_id={workspace_id} contact={contact} />
              ))}
            </List>
          );
        }}
      </Loaded>
      {contacts.hasNextPage && (
        <div>
          <Button isPending={contacts.isFetchingNextPage} onPress={() => void contacts.fetchNextPage()}>
            {t('contacts.more')}
          </Button>
        </div>
      )}
      {isAdding && <NewContactDialog workspace_id={workspace_id} onClose={() => setAdding(false)} />}
    </Page>
  );
}

function ExportButton({ workspace_id }: { workspace_id: string }) {
  const fields = useCustomFields(workspace_id);
  const stages = useStages(workspace_id);
  const [count, setCount] = useState<number>();
  async function start() {
    setCount(0);
    await attempt(async () => {
      const exported = await exportContacts(workspace_id, { fields, stages }, setCount);
      tell(t('contacts.exported', { count: exported }));
    });
    setCount(undefined);
  }
  return (
    <Button onPress={start} isPending={count !== undefined}>
      <FileDown size={18} aria-hidden />
      {count ? t('contacts.exporting', { count }) : t('contacts.export')}
    </Button>
  );
}

/** Reads the list again after changes, at most once in two seconds: an import changes a thousand contacts at once. */
function useChangedContacts(base: string): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ queryKey: [base, 'list'] });
      }, betweenReadsMs);
    };
    const end = listenToChanges({
      onChange: ({ kind }) => {
        if (kind === 'contact') readSoon();
      },
      onGap: readSoon,
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [base]);
}

function ContactRow({ workspace_id, contact }: { workspace_id: string; contact: Contact }) {
  const { id, name, identities, email, tags, vip, blocked, last_activity_at } = contact;
  const [first] = identities;
  const today = useToday();
  const title = name ?? first?.identifier ?? t('inbox.unnamed');
  return (
    <Row
      start={<Avatar name={title} />}
      title={
        <>
          <Link href={`/w/${workspace_id}/contacts/${id}`}>
            <bdi>{title}</bdi>
          </Link>
          {vip && <Badge kind="accent">{t('contact.vip')}</Badge>}
          {blocked && <Badge kind="warning">{t('contact.blocked')}</Badge>}
        </>
      }
      end={last_activity_at && <Soft>{shortTime(last_activity_at, today)}</Soft>}
    >
      <Soft>
        <bdi dir="ltr">{first?.identifier}</bdi>
        {email && (
          <>
            {' · '}
            <bdi dir="ltr">{email}</bdi>
          </>
        )}
      </Soft>
      {tags.length > 0 && (
        <ul className={styles.tags} aria-label={t('contact.tags')}>
          {tags.slice(0, mostTags).map((tag) => (
            <li key={tag}>
              <Badge>
                <bdi>{tag}</bdi>
              </Badge>
            </li>
          ))}
          {tags.length > mostTags && <li>+{tags.length - mostTags}</li>}
        </ul>
      )}
    </Row>
  );
}

const mostTags = 5;
