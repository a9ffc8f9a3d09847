import { ArrowDown } from 'lucide-react';
import { type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState, type WheelEvent } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { usePrinting } from '../../parts/use-printing.ts';
import { useSettled } from '../../parts/use-settled.ts';
import { t } from '../../words/words.ts';
import { DayLine, ThreadLine } from './thread-line.tsx';
import styles from './thread-list.module.css';
import type { ThreadRow } from './thread-rows.ts';

interface Props {
  workspace_id: string;
  contact_name: string;
  rows: readonly ThreadRow[];
  isLoadingEarlier: boolean;
  /** The newest messages are not loaded. */
  hasLater: boolean;
  /** How many messages came since the person scrolled up. */
  newCount: number;
  /** The message to scroll to as soon as it is there. */
  target: string | undefined;
  onArrive: () => void;
  onJump: (id: string) => void;
  onNewest: () => void;
  onStart: () => void;
  onEnd: () => void;
  onBottom: (isAtBottom: boolean) => void;
}

/** So near to an end, the part behind it is loaded. */
const nearPx = 800;
/** So far beyond what is in view, lines are drawn ahead. */
const bufferPx = 400;
/** So near to the bottom, new messages move the thread. */
const bottomPx = 48;

/** The lines that are in view, and those around them. What is far away is not drawn, so a long thread is as fast as a short one. */
export function ThreadList(props: Props) {
  const { workspace_id, contact_name, rows, isLoadingEarlier, hasLater, newCount, target } = props;
  const { onArrive, onJump, onNewest, onStart, onEnd, onBottom } = props;
  const handle = useRef<VirtualizerHandle>(null);
  const wanted = useRef<string>(undefined);
  const scroller = useRef<HTMLDivElement>(null);
  const position = useRef({ isAtBottom: target === undefined, isPlaced: false, offset: 0, height: 0 });
  const [isAtBottom, setAtBottom] = useState(target === undefined);
  const [day, setDay] = useState<string>();
  const [isDayShown, showDayWhileMoving] = useFading();
  const [chosen, setChosen] = useState<string>();
  const [flashing, setFlashing] = useState<string>();
  const isShifted = useShift(rows);
  const isSettled = useSettled();
  const isPrinting = usePrinting();

  function place() {
    if (target !== undefined) {
      const index = rows.findIndex(({ id }) => id === target);
      if (index < 0) return;
      setBottom(false);
      handle.current?.scrollToIndex(index, { align: 'center' });
      if (position.current.isPlaced) noticeRoom();
      setFlashing(target);
      onArrive();
    } else {
      stayAtBottom();
    }
  }
  // The rows must be there before the scrolling.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other changes move nothing.
  useLayoutEffect(place, [rows, target]);

  const stayAtBottom = useCallback(() => {
    const element = scroller.current;
    if (element && position.current.isAtBottom) element.scrollTop = element.scrollHeight;
  }, []);
  // Lines have their height after they are drawn: texts wrap, and pictures arrive.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(stayAtBottom);
    for (const element of [scroller.current!, scroller.current!.lastElementChild!]) observer.observe(element);
    return () => observer.disconnect();
  }, [stayAtBottom]);

  /** A turn of the wheel is known before its scrolling, which a new height would undo. */
  function leaveBottom({ deltaY, currentTarget }: WheelEvent<HTMLElement>) {
    if (deltaY < 0 && currentTarget.scrollTop > 0) setBottom(false);
  }

  function setBottom(next: boolean) {
    position.current.isAtBottom = next;
    if (next === isAtBottom) return;
    setAtBottom(next);
    onBottom(next);
  }

  function follow(offset: number) {
    // As it is now: the list hears of a new height of the frame a moment later.
    const { scrollHeight, clientHeight, scrollTop } = scroller.current!;
    // Growing content leaves the bottom behind for a moment, and a frame of another height moves the text. Only a person scrolls up.
    const isUp = offset < position.current.offset - 1 && clientHeight === position.current.height;
    Object.assign(position.current, { offset, height: clientHeight });
    if (scrollHeight - clientHeight - scrollTop <= bottomPx) setBottom(!hasLater);
    else if (isUp) setBottom(false);
    setDay(dayAt(offset));
    // Nobody searches by days where the newest messages are. There, what scrolls is the thread itself.
    if (!position.current.isAtBottom) showDayWhileMoving();
    loadAround();
  }

  function dayAt(offset: number): string | undefined {
    const list = handle.current;
    if (!list || offset <= 0) return undefined;
    const index = list.findItemIndex(offset);
    const next = rows[index + 1];
    if (next?.type === 'day' && list.getItemOffset(index + 1) - offset < 40) return undefined;
    const first = rows.slice(0, index + 1).findLast(({ type }) => type === 'day');
    return first?.type === 'day' && first !== rows[index] ? first.at : undefined;
  }

  function loadAround() {
    const list = handle.current;
    if (!list || !position.current.isPlaced) return;
    if (list.scrollOffset < nearPx) onStart();
    if (list.scrollSize - list.viewportSize - list.scrollOffset < nearPx) onEnd();
  }

  function measure() {
    if (!handle.current || handle.current.scrollSize > handle.current.viewportSize) return;
    settle();
    noticeRoom();
  }

  /** A thread that has room is at its bottom. No scrolling tells so. */
  function noticeRoom() {
    requestAnimationFrame(() => {
      const element = scroller.current;
      if (element && element.scrollHeight <= element.clientHeight) setBottom(!hasLater);
    });
  }

  /** Before the first scrolling is over, the start is in view for a moment. */
  function settle() {
    position.current.isPlaced = true;
    loadAround();
  }

  const messages = rows.flatMap((row, index) => (row.type === 'message' ? [{ id: row.id, index }] : []));
  const reachable = messages.find(({ id }) => id === chosen) ?? messages.at(-1);

  function walk(event: KeyboardEvent) {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.message === undefined) return;
    const at = messages.findIndex(({ id }) => id === reachable?.id);
    const steps: Record<string, number> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: messages.length - 1 };
    const next = messages[steps[event.code] ?? -1];
    if (!next) return;
    event.preventDefault();
    setChosen(next.id);
    handle.current?.scrollToIndex(next.index, { align: 'nearest' });
    focusOnceMeasured(next.id);
  }

  /** A line is hidden until it is measured, and takes no focus before that. A later step takes over. */
  function focusOnceMeasured(id: string) {
    wanted.current = id;
    requestAnimationFrame(() => {
      const line = scroller.current?.querySelector<HTMLElement>(`[data-id="${id}"]`);
      if (!line || wanted.current !== id) return;
      line.focus();
      if (document.activeElement !== line) focusOnceMeasured(id);
    });
  }

  const draw = (row: ThreadRow) => (
    <ThreadLine
      key={row.id}
      row={row}
      workspace_id={workspace_id}
      contact_name={contact_name}
      isReachable={row.id === reachable?.id}
      isFlashing={row.id === flashing}
      onJump={onJump}
    />
  );
  return (
    <div className={styles.thread}>
      <div
        ref={scroller}
        className={styles.scroller}
        role="feed"
        aria-label={t('thread.label')}
        aria-busy={isLoadingEarlier}
        onKeyDown={walk}
        onWheel={leaveBottom}
        onFocus={({ target: focused }) => {
          const line = focused.closest<HTMLElement>('[data-message]');
          if (line) setChosen(line.dataset.id);
        }}
      >
        <div className={styles.space} />
        <Virtualizer
          ref={handle}
          scrollRef={scroller}
          data={rows}
          shift={isShifted}
          bufferSize={isSettled ? bufferPx : 0}
          keepMounted={reachable && chosen ? [reachable.index] : []}
          onScroll={follow}
          onScrollEnd={settle}
          onResize={measure}
        >
          {draw}
        </Virtualizer>
      </div>
      {isPrinting && (
        // Paper does not scroll: it has every line that is loaded.
        <div className={styles.printed}>{rows.map(draw)}</div>
      )}
      <div className={styles.top} aria-hidden={!isLoadingEarlier}>
        {isLoadingEarlier ? (
          <p className={styles.loading} role="status">
            {t('thread.earlier_loading')}
          </p>
        ) : (
          day && (
            <div className={styles.day} data-shown={isDayShown || undefined}>
              <DayLine at={day} />
            </div>
          )
        )}
      </div>
      {(!isAtBottom || hasLater) && (
        <button
          type="button"
          className={styles.newest}
          data-new={newCount > 0 || undefined}
          aria-label={
            newCount > 0
              ? `${t('thread.to_newest')}, ${t('thread.new_count', { count: newCount })}`
              : t('thread.to_newest')
          }
          onClick={() => {
            position.current.isAtBottom = true;
            onNewest();
            if (!hasLater) stayAtBottom();
          }}
        >
          {newCount > 0 && <span>{t('thread.new_count', { count: newCount })}</span>}
          <ArrowDown size={18} aria-hidden />
        </button>
      )}
    </div>
  );
}

const fadeMs = 1_200;

/** Something that is shown while something moves, and for a moment after it. */
function useFading(): [isShown: boolean, show: () => void] {
  const [isShown, setShown] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  function show() {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(false), fadeMs);
    setShown(true);
  }
  return [isShown, show];
}

/** Whether the last change put rows before the first one, so that the distance from the end stays. */
function useShift(rows: readonly ThreadRow[]): boolean {
  const firstMessage = rows.find(({ type }) => type !== 'day')?.id;
  const last = rows.at(-1)?.id;
  const [before, setBefore] = useState({ firstMessage, last, count: rows.length, isShifted: false });
  if (before.firstMessage === firstMessage && before.last === last && before.count === rows.length) {
    return before.isShifted;
  }
  const isShifted = before.firstMessage !== firstMessage && before.last === last;
  setBefore({ firstMessage, last, count: rows.length, isShifted });
  return isShifted;
}
