import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type WheelEvent,
} from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { usePrinting } from '../../parts/use-printing.ts';
import { useSettled } from '../../parts/use-settled.ts';
import { t } from '../../words/words.ts';
import { center } from './center.ts';
import { NewestButton } from './newest-button.tsx';
import { DayLine, ThreadLine } from './thread-line.tsx';
import styles from './thread-list.module.css';
import type { ThreadRow } from './thread-rows.ts';
import { useFading } from './use-fading.ts';
import { useShift } from './use-shift.ts';
import { useSteadyLines } from './use-steady-lines.ts';
import { useTail } from './use-tail.ts';

interface Props {
  workspace_id: string;
  contact_name: string;
  rows: readonly ThreadRow[];
  /** Without it, the newest lines alone are drawn. */
  isWhole: boolean;
  hasEarlier: boolean;
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
  /** The newest lines are drawn. */
  onTexts: () => void;
}

/** So near to an end, the part behind it is loaded. */
const nearPx = 800;
/** So far beyond what is in view, lines are drawn ahead. */
const bufferPx = 400;
/** So near to the bottom, new messages move the thread. */
const bottomPx = 48;

/** The lines that are in view, and those around them. What is far away is not drawn, so a long thread is as fast as a short one. */
export function ThreadList(props: Props) {
  const { workspace_id, contact_name, rows, isWhole, hasEarlier, isLoadingEarlier, hasLater, newCount, target } = props;
  const { onArrive, onJump, onNewest, onStart, onEnd, onBottom, onTexts } = props;
  const handle = useRef<VirtualizerHandle>(null);
  const wanted = useRef<string>(undefined);
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useRef<HTMLDivElement>(null);
  const tail = useRef<HTMLDivElement>(null);
  const position = useRef({ isAtBottom: target === undefined, isPlaced: false, offset: 0, height: 0 });
  const [isAtBottom, setAtBottom] = useState(target === undefined);
  const [day, setDay] = useState<string>();
  const [isDayShown, showDayWhileMoving] = useFading();
  const [chosen, setChosen] = useState<string>();
  const [flashing, setFlashing] = useState<string>();
  const firstPlain = useTail({ rows, hasEarlier, isAtBottom });
  const earlier = rows.slice(0, firstPlain);
  const isShifted = useShift(earlier);
  const isSettled = useSettled();
  const isPrinting = usePrinting();

  function place() {
    if (target !== undefined) {
      const index = rows.findIndex(({ id }) => id === target);
      if (index < 0) return;
      setBottom(false);
      if (index < firstPlain) handle.current?.scrollToIndex(index, { align: 'center' });
      else center(scroller.current!, tail.current!.children[index - firstPlain]!);
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
  useEffect(onTexts, [onTexts]);

  const stayAtBottom = useCallback(() => {
    const element = scroller.current;
    if (element && position.current.isAtBottom) element.scrollTop = element.scrollHeight;
  }, []);
  // The earlier lines come above those that are drawn, which stay where they are.
  const wasWhole = useRef(isWhole);
  useLayoutEffect(() => {
    if (wasWhole.current === isWhole) return;
    wasWhole.current = isWhole;
    if (position.current.isAtBottom) {
      stayAtBottom();
      // The virtual list begins to listen meanwhile, and would draw the first lines before it hears of a scrolling.
      queueMicrotask(() => scroller.current?.dispatchEvent(new Event('scroll')));
    } else scroller.current!.scrollTop += lines.current!.clientHeight - tail.current!.clientHeight;
  }, [isWhole, stayAtBottom]);
  // Lines have their height after they are drawn: texts wrap, and pictures arrive.
  const measured = useEffectEvent(measure);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => measured());
    for (const element of [scroller.current!, lines.current!]) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useSteadyLines(scroller, tail, isWhole);

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

  function follow() {
    const { scrollHeight, clientHeight, scrollTop: offset } = scroller.current!;
    // Growing content leaves the bottom behind for a moment, and a frame of another height moves the text. Only a person scrolls up.
    const isUp = offset < position.current.offset - 1 && clientHeight === position.current.height;
    Object.assign(position.current, { offset, height: clientHeight });
    if (scrollHeight - clientHeight - offset <= bottomPx) setBottom(!hasLater);
    else if (isUp) setBottom(false);
    setDay(dayAt(offset));
    // Nobody searches by days where the newest messages are. There, what scrolls is the thread itself.
    if (!position.current.isAtBottom) showDayWhileMoving();
    loadAround();
  }

  function dayAt(offset: number): string | undefined {
    if (offset <= 0) return undefined;
    const { index, nextPx } = lineAt(offset);
    if (rows[index + 1]?.type === 'day' && nextPx < 40) return undefined;
    const first = rows.slice(0, index + 1).findLast(({ type }) => type === 'day');
    return first?.type === 'day' && first !== rows[index] ? first.at : undefined;
  }

  /** The line at the top, and how far below it the next one begins. */
  function lineAt(offset: number): { index: number; nextPx: number } {
    const list = handle.current;
    const from = tail.current!.offsetTop;
    if (list && offset < from && firstPlain > 0) {
      const index = list.findItemIndex(offset);
      return { index, nextPx: (index + 1 < firstPlain ? list.getItemOffset(index + 1) : from) - offset };
    }
    const plain = [...tail.current!.children] as HTMLElement[];
    const next = plain.findIndex(({ offsetTop }) => offsetTop > offset);
    if (next < 0) return { index: rows.length - 1, nextPx: Number.POSITIVE_INFINITY };
    return { index: firstPlain + next - 1, nextPx: plain[next]!.offsetTop - offset };
  }

  function loadAround() {
    if (!isWhole || !position.current.isPlaced) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller.current!;
    if (scrollTop < nearPx) onStart();
    if (scrollHeight - clientHeight - scrollTop < nearPx) onEnd();
  }

  /** The virtual list tells of its lines at once. An observer hears of what encloses them a frame later. */
  function measure() {
    stayAtBottom();
    if (!isWhole) return;
    const { scrollHeight, clientHeight } = scroller.current!;
    if (scrollHeight > clientHeight) return;
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
    if (next.index < firstPlain) handle.current?.scrollToIndex(next.index, { align: 'nearest' });
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
      isBare={!isWhole}
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
        onScroll={follow}
        onScrollEnd={settle}
        onFocus={({ target: focused }) => {
          const line = focused.closest<HTMLElement>('[data-message]');
          if (line) setChosen(line.dataset.id);
        }}
      >
        <div className={styles.space} />
        <div ref={lines} className={styles.lines}>
          {isWhole && (
            <Virtualizer
              ref={handle}
              scrollRef={scroller}
              data={earlier}
              shift={isShifted}
              bufferSize={isSettled ? bufferPx : 0}
              keepMounted={reachable && chosen ? [reachable.index] : []}
              onResize={measure}
            >
              {draw}
            </Virtualizer>
          )}
          <div ref={tail} className={styles.tail}>
            {rows.slice(firstPlain).map((row) => (
              <div key={row.id} className={styles.plain}>
                {draw(row)}
              </div>
            ))}
          </div>
        </div>
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
        <NewestButton
          newCount={newCount}
          onPress={() => {
            position.current.isAtBottom = true;
            onNewest();
            if (!hasLater) stayAtBottom();
          }}
        />
      )}
    </div>
  );
}
