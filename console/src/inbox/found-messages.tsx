import type { FoundMessage, MessageSearchPage } from '@majlis/console-api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { StickyNote } from 'lucide-react';
import { Link } from 'wouter';
import { useToday } from '../live/clock.ts';
import { useReread } from '../live/live-query.ts';
import { Button } from '../parts/button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { OneLine } from '../parts/one-line.tsx';
import { unreadableText } from '../words/unreadable-text.ts';
import { shortTime, t } from '../words/words.ts';
import { findMessages } from './search.ts';
import type { SearchFilter } from './search-filter.ts';
import styles from './search-results.module.css';
import { type View, viewPath } from './views.ts';

/** The pages of a search so far. The older ones come on demand. */
export function useFoundMessages(workspace_id: string, q: string, filter: SearchFilter) {
  const path = `/workspaces/${workspace_id}/search/messages`;
  const query = useInfiniteQuery({
    queryKey: [path, q, filter.author, filter.period],
    queryFn: ({ signal, pageParam }) => findMessages(workspace_id, { q, filter, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: (before) => before,
    enabled: filter.kind !== 'people',
  });
  const found = query.data;
  // What the person may see no more is found no more: it was erased, for instance (danger C8).
  useReread(path, (change) => change.kind === 'removed' && isOf(found, change.conversation_id));
  return query;
}

function isOf(found: { pages: MessageSearchPage[] } | undefined, conversation_id: string): boolean {
  return found?.pages.some(({ data }) => data.some((one) => one.conversation_id === conversation_id)) ?? false;
}

interface Props {
  workspace_id: string;
  view: View;
  query: ReturnType<typeof useFoundMessages>;
  /** The message that was opened last. */
  opened: string | undefined;
  onOpen: (message_id: string) => void;
}

export function FoundMessages({ workspace_id, view, query, opened, onOpen }: Props) {
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const found = pages.flatMap(({ data }) => data);
        if (found.length === 0 && !query.hasNextPage) return null;
        return (
          <section>
            <h2 className={styles.group}>{t('inbox.search_messages')}</h2>
            <ul>
              {found.map((message) => (
                <li key={message.message_id}>
                  <Link
                    href={messagePath(workspace_id, view, message)}
                    className={styles.result!}
                    aria-current={message.message_id === opened ? 'true' : undefined}
                    onClick={() => onOpen(message.message_id)}
                  >
                    <Found message={message} />
                  </Link>
                </li>
              ))}
            </ul>
            {query.hasNextPage && (
              <div className={styles.further}>
                <Button
                  look="quiet"
                  wide
                  isPending={query.isFetchingNextPage}
                  onPress={() => void query.fetchNextPage()}
                >
                  {t('inbox.search_further')}
                </Button>
              </div>
            )}
          </section>
        );
      }}
    </Loaded>
  );
}

function Found({ message }: { message: FoundMessage }) {
  const { contact_name, contact_handle, direction, kind, created_at, snippet, matches, unreadable_type } = message;
  const isNote = kind === 'note';
  return (
    <span className={styles.text}>
      <span className={styles.first}>
        <span className={styles.name}>
          <OneLine isCode={!contact_name && contact_handle !== undefined}>
            {contact_name ?? contact_handle ?? t('inbox.unnamed')}
          </OneLine>
        </span>
        <time className={styles.soft} dateTime={created_at}>
          {shortTime(created_at, useToday())}
        </time>
      </span>
      <span className={styles.said} data-note={isNote || undefined}>
        {isNote && (
          <span className={styles.mark}>
            <StickyNote size={12} aria-hidden /> {t('inbox.kind_note')}
          </span>
        )}
        {!isNote && direction === 'outbound' && <span className={styles.mark}>{t('inbox.us')}</span>}
        <bdi className={styles.snippet} dir="auto">
          {unreadable_type === undefined ? <Marked text={snippet} places={matches} /> : unreadableText(unreadable_type)}
        </bdi>
      </span>
    </span>
  );
}

function messagePath(workspace_id: string, view: View, { conversation_id, message_id }: FoundMessage): string {
  const path = viewPath(workspace_id, view, conversation_id);
  return `${path}${path.includes('?') ? '&' : '?'}message=${message_id}`;
}

/** The text with its hits marked. */
function Marked({ text, places }: { text: string; places: FoundMessage['matches'] }) {
  const parts = places.map(({ start, end }, index) => (
    <span key={start}>
      {text.slice(places[index - 1]?.end ?? 0, start)}
      <mark>{text.slice(start, end)}</mark>
    </span>
  ));
  return (
    <>
      {parts}
      {text.slice(places.at(-1)?.end ?? 0)}
    </>
  );
}
