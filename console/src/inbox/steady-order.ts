import type { FollowedState } from '../live/followed.ts';
import type { InboxList, Listed } from './inbox-lists.ts';

/**
 * The order in which a list is shown. While the pointer is at work over the list, the rows stay where they are, so that a press
 * opens the row that the person saw under the pointer.
 */
export interface SteadyOrder {
  get(): FollowedState<Listed>;
  subscribe(listener: () => void): () => void;
  pointerMoved(): void;
  pointerLeft(): void;
  pressed(): void;
}

const idleMs = 2_000;

export function createSteadyOrder(list: InboxList): SteadyOrder {
  let shown = list.get();
  let isOver = false;
  let isPressed = false;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  function set(next: FollowedState<Listed>): void {
    shown = next;
    for (const listener of listeners) listener();
  }

  function take(): void {
    const truth = list.get();
    const isHeld = (isOver || isPressed) && shown.data !== undefined && truth.data !== undefined;
    set(isHeld ? { ...truth, data: append(shown.data!, truth.data!) } : truth);
  }

  function release(): void {
    clearTimeout(idle);
    isOver = false;
    if (!isPressed) take();
  }

  return {
    get: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      const end = list.subscribe(take);
      take();
      return () => {
        listeners.delete(listener);
        clearTimeout(idle);
        isOver = false;
        end();
      };
    },
    pointerMoved() {
      isOver = true;
      clearTimeout(idle);
      idle = setTimeout(release, idleMs);
    },
    pointerLeft: release,
    pressed() {
      isPressed = true;
      const lift = new AbortController();
      for (const end of ['pointerup', 'pointercancel', 'blur']) {
        window.addEventListener(end, () => lift.abort(), { signal: lift.signal });
      }
      // The click follows the lift at once, and finds the row where it was pressed.
      lift.signal.addEventListener('abort', () => {
        setTimeout(() => {
          isPressed = false;
          if (!isOver) take();
        });
      });
    },
  };
}

/** Pages that were read at the end may be shown: they move nothing. */
function append(shown: Listed, truth: Listed): Listed {
  const known = new Set(shown.ids);
  const last = truth.ids.findLastIndex((id) => known.has(id));
  const added = truth.ids.slice(last + 1);
  return { ids: added.length > 0 ? [...shown.ids, ...added] : shown.ids, hasMore: truth.hasMore };
}
