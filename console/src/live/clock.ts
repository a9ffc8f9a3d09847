import { useSyncExternalStore } from 'react';
import { serverNow } from './session.ts';

const tickMs = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer serves all that count down. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const one of listeners) one();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The whole minutes until then by the server's clock; -1 when it is over. The value changes once a minute. */
export function useMinutesUntil(iso: string | undefined): number | undefined {
  return useSyncExternalStore(subscribe, () => {
    if (iso === undefined) return undefined;
    const leftMs = Date.parse(iso) - serverNow();
    return leftMs <= 0 ? -1 : Math.floor(leftMs / 60_000);
  });
}

/** The day by the clock of the browser, such as `Sun Nov 29 2026`. The value changes at midnight. */
export function useToday(): string {
  return useSyncExternalStore(subscribe, () => new Date(serverNow()).toDateString());
}
