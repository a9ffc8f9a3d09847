import { MessagesSquare } from 'lucide-react';
import {
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useLocation } from 'wouter';
import { lazyPart } from '../app/lazy-page.tsx';
import type { Membership } from '../live/membership.ts';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { insteadOfPiece } from '../parts/missing-part.ts';
import { t } from '../words/words.ts';
import { endSelecting } from './bulk/selection.ts';
import { useIsBusy } from './bulk/use-is-busy.ts';
import { ConversationRow } from './conversation-row.tsx';
import { inboxList } from './inbox-lists.ts';
import styles from './inbox-page.module.css';
import { moveByArrows, useListCommands } from './list-commands.tsx';
import { loadPaneWhenIdle } from './load-pane.ts';
import { anchorOf } from './scroll-anchor.ts';
import { createSteadyOrder } from './steady-order.ts';
import { useIsGone, type View, viewPath } from './views.ts';

const BulkBar = lazyPart(async () => (await import('./bulk/bulk-bar.tsx')).BulkBar, insteadOfPiece);

interface Props {
  membership: Membership;
  view: View;
  conversation_id: string | undefined;
}

/** The conversations of a view, latest activity first. */
export function ConversationList({ membership, view, conversation_id }: Props) {
  const list = inboxList(membership.workspace_id, view);
  const order = useMemo(() => createSteadyOrder(list), [list]);
  const { data, error } = useSyncExternalStore(order.subscribe, order.get);
  const isGone = useIsGone(membership.workspace_id, view, error);
  const isSelecting = useIsBusy();
  const scroller = useRef<HTMLDivElement>(null);
  // A selection belongs to the view that it was made in.
  useEffect(() => endSelecting, []);
  return (
    <>
      {isSelecting && (
        <Suspense>
          <BulkBar membership={membership} ids={data?.ids ?? []} />
        </Suspense>
      )}
      <div
        ref={scroller}
        className={styles.scroller}
        onPointerMove={({ pointerType }) => pointerType !== 'touch' && order.pointerMoved()}
        onPointerLeave={order.pointerLeft}
        onPointerDown={order.pressed}
      >
        {isGone ? (
          <GoneView workspace_id={membership.workspace_id} />
        ) : (
          <Loaded shape="conversations" query={{ data, error, refetch: list.refetch }}>
            {({ ids, hasMore }) =>
              ids.length === 0 ? (
                <EmptyView view={view} />
              ) : (
                <Rows
                  membership={membership}
                  view={view}
                  conversation_id={conversation_id}
                  ids={ids}
                  onEnd={hasMore ? list.readMore : undefined}
                  scroller={scroller}
                />
              )
            }
          </Loaded>
        )}
      </div>
    </>
  );
}

/** In the place of a view or a team that somebody has removed: the rows that it had tell nothing of now. */
function GoneView({ workspace_id }: { workspace_id: string }) {
  const [, navigate] = useLocation();
  return (
    <Empty icon={<MessagesSquare aria-hidden />} title={t('inbox.view_gone')}>
      <Button onPress={() => navigate(viewPath(workspace_id, 'all'))}>{t('inbox.view_gone_all')}</Button>
    </Empty>
  );
}

function EmptyView({ view }: { view: View }) {
  if (view === 'all') {
    return <Empty icon={<MessagesSquare aria-hidden />} title={t('inbox.empty')} hint={t('inbox.empty_hint')} />;
  }
  return (
    <Empty icon={<MessagesSquare aria-hidden />} title={t('inbox.view_empty')} hint={t('inbox.view_empty_hint')} />
  );
}

interface RowsProps extends Props {
  ids: readonly string[];
  onEnd: (() => void) | undefined;
  scroller: RefObject<HTMLDivElement | null>;
}

// So many rows before the end, the next page is read.
const ahead = 15;

function Rows({ membership, view, conversation_id, ids, onEnd, scroller }: RowsProps) {
  const virtual = useRef<VirtualizerHandle>(null);
  const place = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string>();
  const before = useRef(ids);
  const cursor = [focused, conversation_id].find((id) => id && ids.includes(id)) ?? ids[0]!;

  // Before the first press, and after the first rows.
  useEffect(loadPaneWhenIdle, []);

  // What a person reads stays where it is, unless they are at the top.
  useLayoutEffect(() => {
    const handle = virtual.current;
    const shift = handle && anchorOf(before.current, ids, handle);
    before.current = ids;
    // The list itself would hold on to the place, against a person who scrolls on.
    if (shift) scroller.current!.scrollTop += shift;
  }, [ids, scroller]);

  function focusRow(index: number) {
    const id = ids[Math.max(0, Math.min(ids.length - 1, index))]!;
    flushSync(() => setFocused(id));
    virtual.current?.scrollToIndex(ids.indexOf(id), { align: 'nearest' });
    place.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus({ preventScroll: true });
  }
  useListCommands({ membership, view, conversation_id, cursor, ids, focusRow });

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div
      ref={place}
      role="group"
      aria-labelledby="inbox-title"
      onKeyDown={(event) => moveByArrows(event, ids.indexOf(cursor), ids.length, focusRow)}
    >
      <Virtualizer
        ref={virtual}
        scrollRef={scroller}
        as="ul"
        item="li"
        data={ids}
        itemSize={60}
        keepMounted={[ids.indexOf(cursor)]}
        onScroll={(offset) => {
          const handle = virtual.current!;
          if (handle.findItemIndex(offset + handle.viewportSize) > ids.length - ahead) onEnd?.();
        }}
      >
        {(id: string) => (
          <ConversationRow
            key={id}
            id={id}
            membership={membership}
            view={view}
            isOpen={id === conversation_id}
            isCursor={id === cursor}
            onFocus={setFocused}
          />
        )}
      </Virtualizer>
    </div>
  );
}
