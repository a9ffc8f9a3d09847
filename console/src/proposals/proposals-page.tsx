import type { Proposal } from '@majlis/console-api';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ClipboardCheck } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Keys } from '../app/keys.tsx';
import { useReread } from '../live/live-query.ts';
import type { Membership } from '../live/membership.ts';
import { proposalsPathOf } from '../live/proposals.ts';
import { request } from '../live/request.ts';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { t } from '../words/words.ts';
import { ProposalRow } from './proposal-row.tsx';
import styles from './proposals.module.css';
import { type DecisionAct, focusAfter, useDecisionCommands, waitingCards } from './use-decision-commands.ts';

interface ProposalsPageData {
  data: Proposal[];
  next_cursor?: string;
}

const concerns = ({ kind }: { kind: string }) => ['proposal', 'assignment', 'removed'].includes(kind);

/** What AI agents and workflows want to do and a person decides, the oldest first. */
export function ProposalsPage({ membership: { workspace_id } }: { membership: Membership }) {
  const base = proposalsPathOf(workspace_id);
  const queue = useInfiniteQuery({
    queryKey: [base],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      request<ProposalsPageData>('GET', pageParam ? `${base}?cursor=${encodeURIComponent(pageParam)}` : base),
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    staleTime: 0,
  });
  useReread(base, concerns);
  return (
    <Page title={t('proposals.title')} hint={t('proposals.hint')}>
      <Loaded query={queue}>{(waiting) => <Queue workspace_id={workspace_id} waiting={waiting} />}</Loaded>
      {queue.hasNextPage && (
        <div>
          <Button onPress={() => queue.fetchNextPage()} isPending={queue.isFetchingNextPage}>
            {t('proposals.more')}
          </Button>
        </div>
      )}
    </Page>
  );
}

const acts: readonly DecisionAct[] = ['accept', 'edit', 'refuse'];

/**
 * What has been shown stays in its place, with what became of it: a card that goes would move the next one under the pointer of
 * a person who is about to send.
 */
function Queue({ workspace_id, waiting }: { workspace_id: string; waiting: readonly Proposal[] }) {
  const list = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState<readonly string[]>([]);
  const fresh = waiting.filter(({ id }) => !shown.includes(id));
  if (fresh.length > 0) setShown([...shown, ...fresh.map(({ id }) => id)]);
  useDecisionCommands(list, acts);
  if (shown.length === 0 && fresh.length === 0) {
    return (
      <Empty icon={<ClipboardCheck aria-hidden />} title={t('proposals.empty')} hint={t('proposals.empty_hint')} />
    );
  }
  return (
    <>
      <p className={styles.keys}>
        {t('proposals.keys')}
        {acts.map((act) => (
          <span key={act}>
            <Keys of={{ id: `proposals.${act}` }} /> {t(`proposals.${act === 'accept' ? 'accept_do' : act}`)}
          </span>
        ))}
      </p>
      <ul ref={list} className={styles.queue} aria-label={t('proposals.list')} onKeyDown={moveFocus}>
        {shown.map((id) => (
          <ProposalRow
            key={id}
            workspace_id={workspace_id}
            id={id}
            waiting={waiting.find((one) => one.id === id)}
            isInQueue
            onDecided={() => focusAfter(list.current, id)}
          />
        ))}
      </ul>
    </>
  );
}

function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  if ((event.target as Element).matches('textarea')) return;
  const cards = waitingCards(event.currentTarget);
  const at = cards.findIndex((card) => card.contains(event.target as Node));
  const next = cards[event.key === 'ArrowDown' ? at + 1 : Math.max(0, at - 1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
