import { useSyncExternalStore } from 'react';
import { type Failure, toFailure } from './request.ts';

export interface FollowedState<Value> {
  data: Value | undefined;
  /** Why the last reading failed. */
  error: Failure | undefined;
}

/** A value of the service that is read again after each change, while a page shows it. */
export interface Followed<Value> {
  get(): FollowedState<Value>;
  /** Whether no change is known that the value was read without. */
  isCurrent(): boolean;
  subscribe(listener: () => void): () => void;
  /** Shows what is known without a reading. */
  put(data: Value): void;
  /** The value has changed. Many changes within a moment are one reading. */
  invalidate(): void;
  /** Reads again at once, as after a failure. */
  refetch(): void;
}

const ordinaryReadsMs = 200;
const afterFailureMs = 2_000;

/** The readings of a value never overlap, so an older answer never replaces a newer one. */
export function createFollowed<Value>(
  read: () => Promise<Value>,
  {
    betweenReadsMs = ordinaryReadsMs,
    whileHidden = false,
    isKeptElsewhere = () => false,
  }: {
    betweenReadsMs?: number;
    /** Something else follows the value already, so the first page that shows it reads nothing. */
    isKeptElsewhere?: () => boolean;
    /** A hidden page reads too, as for its title. */
    whileHidden?: boolean;
  } = {},
): Followed<Value> {
  let state: FollowedState<Value> = { data: undefined, error: undefined };
  const listeners = new Set<() => void>();
  let isStale = true;
  let isReading = false;
  let isUnderWay = false;
  let wake = () => {};

  const isNeeded = () => isStale && listeners.size > 0 && (whileHidden || document.visibilityState === 'visible');

  async function readWhileNeeded(): Promise<void> {
    if (isReading) return;
    isReading = true;
    while (isNeeded()) await pause(await readOnce());
    isReading = false;
  }

  /** Answers how long the next reading waits. */
  async function readOnce(): Promise<number> {
    isStale = false;
    isUnderWay = true;
    try {
      const data = await read();
      isUnderWay = false;
      set({ data, error: undefined });
      return betweenReadsMs;
    } catch (fault) {
      const error = toFailure(fault);
      isStale = true;
      isUnderWay = false;
      set({ ...state, error });
      return Math.max(afterFailureMs, error.retry_after_seconds * 1000);
    }
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

  function set(next: FollowedState<Value>): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function invalidate(): void {
    isStale = true;
    void readWhileNeeded();
  }

  // A hidden page reads nothing. It catches up when it is seen.
  document.addEventListener('visibilitychange', () => void readWhileNeeded());
  return {
    get: () => state,
    isCurrent: () => !isStale && !isUnderWay,
    subscribe(listener) {
      listeners.add(listener);
      // Nobody followed the changes in the meantime.
      if (listeners.size === 1 && !isKeptElsewhere()) invalidate();
      return () => listeners.delete(listener);
    },
    put: (data) => set({ ...state, data }),
    invalidate,
    refetch() {
      invalidate();
      wake();
    },
  };
}

export function useFollowed<Value>(followed: Followed<Value>): FollowedState<Value> {
  return useSyncExternalStore(followed.subscribe, followed.get);
}
