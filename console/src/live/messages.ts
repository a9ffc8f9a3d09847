import type { LiveChange, LiveRemoval, ThreadMessage } from '@majlis/console-api';
import { useSyncExternalStore } from 'react';
import { listenToChanges } from './changes.ts';
import { Failure, request, toFailure } from './request.ts';
import {
  awaitsReport,
  isNear,
  keepUnchanged,
  newestPart,
  placeOf,
  type ThreadPage,
  type ThreadWindow,
  toWindow,
  withEarlier,
  withEnd,
  withLater,
  withMessages,
} from './thread-window.ts';

export interface ThreadState {
  /** Undefined until the first reading. */
  window: ThreadWindow | undefined;
  /** Why the last reading failed. It is tried again by itself, unless the conversation is gone. */
  error: Failure | undefined;
  isLoadingEarlier: boolean;
  /** Counts how often another part took the place of the window. */
  part: number;
  /** The message of the last `jumpTo` does not exist any more. */
  missing: string | undefined;
}

/** What a person asked for last is read, but a scroll near an end takes nothing from a jump. */
type Want = { type: 'earlier' } | { type: 'later' } | { type: 'newest' } | { type: 'around'; id: string };

/** The messages of one conversation in memory. */
export interface Thread {
  get(): ThreadState;
  subscribe(listener: () => void): () => void;
  loadEarlier(): void;
  loadLater(): void;
  /** Loads the part around an item, unless it is there. */
  jumpTo(id: string): void;
  jumpToNewest(): void;
  /** Loads the newest part once, though nobody sees it yet. */
  prefetch(): void;
  /** Reads again at once, as after a failure. */
  refetch(): void;
}

const isJump = ({ type }: Want) => type === 'newest' || type === 'around';

const pageSize = 50;
/** How many messages one request may ask for by their ids. */
const mostIds = 100;
/** After a gap, so many items at the most are read again. Older ones are read when somebody scrolls there. */
const mostMended = 1_000;
const betweenReadsMs = 150;
const afterFailureMs = 2_000;
/** How many threads stay in memory while nobody sees them, and how many items of each. */
const mostHidden = 24;
const mostHiddenItems = 100;

interface OwnThread extends Thread {
  change(change: LiveChange | LiveRemoval): void;
  gap(): void;
  isShown(): boolean;
  catchUp(): void;
}

/** The readings of a thread never overlap, so an older answer never replaces a newer one. */
function createThread(path: string): OwnThread {
  let state: ThreadState = {
    window: undefined,
    error: undefined,
    isLoadingEarlier: false,
    part: 0,
    missing: undefined,
  };
  const listeners = new Set<() => void>();
  let isReading = false;
  let wake = () => {};
  let want: Want | undefined = { type: 'newest' };
  let isPrefetching = false;
  /** Everything that is loaded may be old. */
  let hasGap = false;
  /** Something was added at the end that has no id for us, such as a system line. */
  let isEndStale = false;
  let staleIds = new Set<string>();
  /** Counts the removals: what a reading brings that began before one is dropped. */
  let removals = 0;

  const hasWork = () => want !== undefined || hasGap || isEndStale || staleIds.size > 0;
  const isNeeded = () =>
    hasWork() &&
    state.error?.code !== 'not_found' &&
    (listeners.size > 0 || isPrefetching) &&
    document.visibilityState === 'visible';

  function set(next: Partial<ThreadState>): void {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }

  async function work(): Promise<void> {
    if (isReading) return;
    isReading = true;
    while (isNeeded()) {
      const pauseMs = await step();
      isPrefetching = false;
      if (want === undefined || pauseMs > betweenReadsMs) await pause(pauseMs);
    }
    isReading = false;
  }

  /** Performs the most urgent reading. Answers how long the next one waits. */
  async function step(): Promise<number> {
    const undo = take();
    try {
      await undo.read();
      if (state.error) set({ error: undefined });
      return betweenReadsMs;
    } catch (fault) {
      const error = toFailure(fault);
      if (error.code === 'not_found') {
        set({ window: undefined, error });
        return 0;
      }
      undo.again();
      set({ error, isLoadingEarlier: false });
      return Math.max(afterFailureMs, error.retry_after_seconds * 1000);
    }
  }

  function take(): { read: () => Promise<void>; again: () => void } {
    const window = state.window;
    if (want !== undefined || window === undefined) {
      const wanted = want ?? { type: 'newest' };
      want = undefined;
      return {
        read: () => readWanted(wanted),
        again() {
          if (want === undefined || (isJump(wanted) && !isJump(want))) want = wanted;
        },
      };
    }
    if (hasGap) {
      hasGap = false;
      isEndStale = false;
      staleIds = new Set();
      return {
        read: () => readAll(window),
        again() {
          hasGap = true;
        },
      };
    }
    if (isEndStale) {
      isEndStale = false;
      return {
        read: () => readEnd(window),
        again() {
          isEndStale = true;
        },
      };
    }
    const ids = [...staleIds].slice(0, mostIds);
    for (const id of ids) staleIds.delete(id);
    return {
      read: () => readMessages(ids),
      again() {
        for (const id of ids) staleIds.add(id);
      },
    };
  }

  async function readWanted(wanted: Want): Promise<void> {
    const { window } = state;
    switch (wanted.type) {
      case 'earlier': {
        const [first] = window?.items ?? [];
        if (!window || !first || !window.has_earlier) return;
        set({ isLoadingEarlier: true });
        const page = await readPage({ before: first.id });
        // A thread that nobody sees any more was cut back meanwhile: the page does not border on what is left of it.
        const isBorder = state.window?.items[0]?.id === first.id;
        set({ isLoadingEarlier: false, ...(isBorder && { window: withEarlier(state.window!, page) }) });
        return;
      }
      case 'later': {
        const last = window?.items.at(-1);
        if (!window || !last || !window.has_later) return;
        const page = await readPage({ after: last.id });
        if (state.window?.items.at(-1)?.id === last.id) set({ window: withLater(state.window, page) });
        return;
      }
      case 'newest': {
        forgetStale();
        const page = await readPage({});
        const joined = state.window && withEnd(state.window, page);
        set(joined ? { window: joined } : { window: toWindow(page), part: state.part + 1 });
        return;
      }
      case 'around':
        return readAround(wanted.id);
    }
  }

  async function readAround(id: string): Promise<void> {
    if (state.window?.items.some((item) => item.id === id)) return;
    forgetStale();
    try {
      const page = await readPage({ around: id });
      // The service answers what is around the place of an item that is gone, too.
      const isThere = page.data.some((item) => item.id === id);
      set({ window: toWindow(page), part: state.part + 1, missing: isThere ? undefined : id });
    } catch (error) {
      if (!(error instanceof Failure && (error.code === 'not_found' || error.code === 'unprocessable_content'))) {
        throw error;
      }
      set({ missing: id });
      want = state.window ? undefined : { type: 'newest' };
    }
  }

  /** A whole new part is as new as it gets. */
  function forgetStale(): void {
    if (state.window === undefined) {
      hasGap = false;
      isEndStale = false;
      staleIds = new Set();
    }
  }

  /** Reads all that is loaded again, from its end back to its start. What lies further back than the limit is dropped. */
  async function readAll(window: ThreadWindow): Promise<void> {
    const first = window.items[0];
    const last = window.items.at(-1);
    let read = await readPage(window.has_later && last ? { around: last.id } : {}, mostIds);
    const reachesBack = () => !first || !read.data[0] || placeOf(read.data[0].id) <= placeOf(first.id);
    while (read.has_earlier && !reachesBack() && read.data.length < mostMended) {
      const { data, has_earlier } = await readPage({ before: read.data[0]!.id }, mostIds);
      read = { data: [...data, ...read.data], has_earlier, has_later: read.has_later };
    }
    set({ window: toWindow({ ...read, data: keepUnchanged(state.window?.items ?? [], read.data) }) });
  }

  async function readEnd(window: ThreadWindow): Promise<void> {
    if (window.has_later) return;
    const joined = withEnd(window, await readPage({}));
    if (joined) set({ window: joined });
    else hasGap = true;
  }

  async function readMessages(ids: readonly string[]): Promise<void> {
    const query = new URLSearchParams({ ids: ids.join(',') });
    const { data } = await readCurrent<{ data: ThreadMessage[] }>(`${path}/messages?${query}`);
    if (state.window) set({ window: withMessages(state.window, ids, data) });
  }

  function readPage(cursor: Record<string, string>, limit = pageSize): Promise<ThreadPage> {
    return readCurrent(`${path}?${new URLSearchParams({ ...cursor, limit: String(limit) })}`);
  }

  async function readCurrent<Answer>(address: string): Promise<Answer> {
    const before = removals;
    const answer = await request<Answer>('GET', address);
    if (removals !== before) throw new Failure('not_found');
    return answer;
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function ask(wanted: Want): void {
    want = wanted;
    void work();
    if (!state.error) wake();
  }

  function change(change: LiveChange | LiveRemoval): void {
    switch (change.kind) {
      case 'removed':
        removals++;
        set({ window: undefined, error: new Failure('not_found') });
        return;
      case 'message':
      case 'note':
      case 'status':
        if (state.window && !isNear(state.window, change.message_id!)) return;
        staleIds.add(change.message_id!);
        // So many changes, as of a thread that nobody sees, are read faster page by page.
        if (staleIds.size > mostIds) hasGap = true;
        break;
      case 'conversation':
      case 'assignment':
        isEndStale = true;
        // A reported line changes where it stands, which may be before the end.
        if (state.window && awaitsReport(state.window, pageSize)) hasGap = true;
        break;
      default:
        return;
    }
    void work();
  }

  return {
    catchUp: () => void work(),
    get: () => state,
    isShown: () => listeners.size > 0,
    subscribe(listener) {
      listeners.add(listener);
      void work();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) rest();
      };
    },
    loadEarlier() {
      if (state.window?.has_earlier && !state.isLoadingEarlier && want === undefined) ask({ type: 'earlier' });
    },
    loadLater() {
      if (state.window?.has_later && want === undefined) ask({ type: 'later' });
    },
    jumpTo: (id) => ask({ type: 'around', id }),
    jumpToNewest: () => ask({ type: 'newest' }),
    prefetch() {
      isPrefetching = true;
      void work();
    },
    refetch() {
      if (state.error?.code === 'not_found') set({ error: undefined });
      void work();
      wake();
    },
    change,
    gap() {
      hasGap = true;
      if (state.error?.code === 'not_found') set({ error: undefined });
      void work();
    },
  };

  /** Nobody sees the thread any more. */
  function rest(): void {
    state = {
      ...state,
      window: state.window && !state.window.has_later ? newestPart(state.window, mostHiddenItems) : undefined,
      missing: undefined,
    };
    want ??= state.window ? undefined : { type: 'newest' };
  }
}

/** Threads by conversation, the one that was opened last at the end. */
const threads = new Map<string, OwnThread>();

export function threadOf(workspace_id: string, conversation_id: string): Thread {
  const known = threads.get(conversation_id);
  const thread = known ?? createThread(`/workspaces/${workspace_id}/conversations/${conversation_id}/thread`);
  if (!known) forgetHidden();
  threads.delete(conversation_id);
  threads.set(conversation_id, thread);
  return thread;
}

function forgetHidden(): void {
  const hidden = [...threads].filter(([, thread]) => !thread.isShown());
  for (const [id] of hidden.slice(0, Math.max(0, hidden.length - mostHidden))) threads.delete(id);
}

export function useThread(thread: Thread): ThreadState {
  return useSyncExternalStore(thread.subscribe, thread.get);
}

// A hidden page reads nothing. It catches up when it is seen.
document.addEventListener('visibilitychange', () => {
  for (const thread of threads.values()) thread.catchUp();
});

listenToChanges({
  onChange(change) {
    const thread = change.kind in threadKinds && 'conversation_id' in change && threads.get(change.conversation_id!);
    if (!thread) return;
    thread.change(change);
    if (change.kind === 'removed' && !thread.isShown()) threads.delete(change.conversation_id!);
  },
  onGap() {
    for (const thread of threads.values()) thread.gap();
  },
  onForget: () => threads.clear(),
});

/** The changes that a thread shows. */
const threadKinds = { message: 0, note: 0, status: 0, conversation: 0, assignment: 0, removed: 0 };
