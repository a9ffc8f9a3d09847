import { MessagesSquare } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '../app/lazy-page.tsx';
import type { Membership } from '../live/membership.ts';
import { Empty } from '../parts/empty.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { t } from '../words/words.ts';
import { ConversationList } from './conversation-list.tsx';
import styles from './inbox-page.module.css';
import { loadPane } from './load-pane.ts';
import { InboxSearchField } from './search-field.tsx';
import { everything } from './search-filter.ts';
import { ViewBar } from './view-bar.tsx';
import { useView } from './views.ts';

const ConversationPane = lazyPart(async () => (await loadPane()).ConversationPane);
const SearchResults = lazyPart(async () => (await import('./search-results.tsx')).SearchResults);

interface Props {
  membership: Membership;
  object?: string | undefined;
}

/** The list of conversations and the open one beside it; on a small screen one of the two. */
export function InboxPage({ membership, object: conversation_id }: Props) {
  const view = useView();
  const [searched, search] = useState('');
  const [filter, setFilter] = useState(everything);
  const list = useRef<HTMLElement>(null);
  const focusFirst = () => list.current?.querySelector<HTMLElement>('ul a')?.focus();
  return (
    <div className={styles.inbox} data-open={conversation_id !== undefined || undefined}>
      <section className={styles.list} ref={list} aria-labelledby="inbox-title">
        <header className={styles.header}>
          <ViewBar membership={membership} view={view}>
            <InboxSearchField value={searched} onChange={search} onArrowDown={focusFirst} />
          </ViewBar>
        </header>
        {searched.trim() === '' ? (
          <ConversationList key={view} membership={membership} view={view} conversation_id={conversation_id} />
        ) : (
          <div className={styles.scroller}>
            <Suspense fallback={<Skeleton shape="conversations" />}>
              <SearchResults
                membership={membership}
                view={view}
                q={searched.trim()}
                filter={filter}
                onFilter={setFilter}
                conversation_id={conversation_id}
              />
            </Suspense>
          </div>
        )}
      </section>
      <div className={styles.content}>
        {conversation_id ? (
          <Suspense fallback={<Skeleton shape="thread" />}>
            <ConversationPane key={conversation_id} membership={membership} conversation_id={conversation_id} />
          </Suspense>
        ) : (
          <div className={styles.nothing}>
            <Empty icon={<MessagesSquare aria-hidden />} title={t('inbox.choose')} hint={t('inbox.choose_hint')} />
          </div>
        )}
      </div>
    </div>
  );
}
