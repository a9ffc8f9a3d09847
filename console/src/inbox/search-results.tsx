import type { LiveChange, LiveRemoval } from '@majlis/console-api';
import type { Contact, Conversation } from '@majlis/contract';
import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useDeferredValue, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { attempt } from '../app/attempt.ts';
import { useReread } from '../live/live-query.ts';
import type { Membership } from '../live/membership.ts';
import { request } from '../live/request.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Empty } from '../parts/empty.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { OneLine } from '../parts/one-line.tsx';
import { tell } from '../parts/toasts.ts';
import { t } from '../words/words.ts';
import { FoundMessages, useFoundMessages } from './found-messages.tsx';
import { type FoundPeople, findPeople } from './search.ts';
import type { SearchFilter } from './search-filter.ts';
import { SearchFilters } from './search-filters.tsx';
import styles from './search-results.module.css';
import { type View, viewPath } from './views.ts';

interface Props {
  membership: Membership;
  view: View;
  q: string;
  filter: SearchFilter;
  onFilter: (filter: SearchFilter) => void;
  conversation_id: string | undefined;
}

/** People whose name, number or tag fits, and messages with these words. */
export function SearchResults({ membership, view, q, filter, onFilter, conversation_id }: Props) {
  const { workspace_id } = membership;
  const words = useDeferredValue(q);
  const [opened, setOpened] = useState<string>();
  const people = useQuery({
    queryKey: [`/workspaces/${workspace_id}/search/people`, words],
    queryFn: ({ signal }) => findPeople(workspace_id, words, signal),
    placeholderData: (before) => before,
    enabled: filter.kind !== 'messages',
  });
  const messages = useFoundMessages(workspace_id, words, filter);
  useReread(`/workspaces/${workspace_id}/search/people`, (change) => concernsPeople(change, people.data));
  const [wantsPeople, wantsMessages] = [filter.kind !== 'messages', filter.kind !== 'people'];
  const pending = [...(wantsPeople ? [people] : []), ...(wantsMessages ? [messages] : [])];
  const isDone = pending.every(({ data, isPlaceholderData }) => data && !isPlaceholderData);
  const countPeople = people.data ? people.data.conversations.length + people.data.contacts.length : 0;
  const countMessages = messages.data ? messages.data.pages.reduce((sum, { data }) => sum + data.length, 0) : 0;
  const count = (wantsPeople ? countPeople : 0) + (wantsMessages ? countMessages : 0);
  const hasMore = wantsMessages && messages.hasNextPage;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div role="group" aria-label={t('inbox.search')} className={styles.results} onKeyDown={moveBetweenLinks}>
      <SearchFilters filter={filter} onChange={onFilter} />
      <p role="status" className={styles.status}>
        {isDone ? t(hasMore ? 'inbox.search_count_more' : 'inbox.search_count', { count }) : t('inbox.searching')}
      </p>
      {isDone && count === 0 && !hasMore && (
        <Empty icon={<SearchX aria-hidden />} title={t('inbox.search_none')} hint={t('inbox.search_none_hint')} />
      )}
      {wantsPeople && (
        <Loaded query={people}>
          {(found) => <People membership={membership} view={view} found={found} conversation_id={conversation_id} />}
        </Loaded>
      )}
      {wantsMessages && (
        <FoundMessages workspace_id={workspace_id} view={view} query={messages} opened={opened} onOpen={setOpened} />
      )}
    </div>
  );
}

/** Whether somebody was found whom the change concerns, such as an erased contact (danger C8). */
function concernsPeople(change: LiveChange | LiveRemoval, found: FoundPeople | undefined): boolean {
  if (!found) return false;
  if (change.kind === 'removed') return found.conversations.some(({ id }) => id === change.conversation_id);
  if (change.kind !== 'contact') return false;
  const { contact_id } = change;
  const ids = [...found.conversations.map((one) => one.contact_id), ...found.contacts.map(({ id }) => id)];
  return ids.some((id) => id === contact_id);
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className={styles.group}>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}

function People({
  membership,
  view,
  found,
  conversation_id,
}: Pick<Props, 'membership' | 'view' | 'conversation_id'> & { found: FoundPeople }) {
  const { workspace_id } = membership;
  if (found.conversations.length + found.contacts.length === 0) return null;
  return (
    <Group title={t('inbox.search_people')}>
      {found.conversations.map((conversation) => (
        <li key={conversation.id}>
          <Link
            href={viewPath(workspace_id, view, conversation.id)}
            className={styles.result!}
            aria-current={conversation.id === conversation_id ? 'true' : undefined}
          >
            <Person name={conversation.contact_name} handle={conversation.contact_handle} />
          </Link>
        </li>
      ))}
      {found.contacts.map((contact) => (
        <li key={contact.id}>
          <ContactResult contact={contact} workspace_id={workspace_id} view={view} />
        </li>
      ))}
    </Group>
  );
}

function Person({ name, handle }: { name: string | undefined; handle: string | undefined }) {
  const shown = name ?? handle ?? t('inbox.unnamed');
  return (
    <>
      <Avatar name={shown} size="s" />
      <span className={styles.text}>
        <span className={styles.name}>
          <OneLine isCode={!name}>{shown}</OneLine>
        </span>
        {name && handle && (
          <span className={styles.soft}>
            <bdi dir="ltr">{handle}</bdi>
          </span>
        )}
      </span>
    </>
  );
}

/** A contact that was found by number or tag. Their latest conversation is opened. */
function ContactResult({ contact, workspace_id, view }: { contact: Contact; workspace_id: string; view: View }) {
  const [, navigate] = useLocation();
  const open = () =>
    attempt(async () => {
      const path = `/workspaces/${workspace_id}/conversations?contact_id=${contact.id}&limit=1`;
      const [conversation] = (await request<{ data: Conversation[] }>('GET', path)).data;
      if (conversation) navigate(viewPath(workspace_id, view, conversation.id));
      else tell(t('inbox.search_no_conversation'));
    });
  return (
    <button type="button" className={styles.result} onClick={() => void open()}>
      <Person name={contact.name} handle={contact.identities[0]?.identifier ?? contact.email} />
    </button>
  );
}

function moveBetweenLinks(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by) return;
  const targets = [...event.currentTarget.querySelectorAll<HTMLElement>('li > :is(a, button)')];
  const next = targets[targets.indexOf(document.activeElement as HTMLElement) + by];
  event.preventDefault();
  next?.focus();
}
