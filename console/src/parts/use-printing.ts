import { useSyncExternalStore } from 'react';

const paper = matchMedia('print');
let isBegun = false;

function subscribe(listener: () => void): () => void {
  const done = new AbortController();
  const { signal } = done;
  const set = (next: boolean) => () => {
    isBegun = next;
    listener();
  };
  window.addEventListener('beforeprint', set(true), { signal });
  window.addEventListener('afterprint', set(false), { signal });
  paper.addEventListener('change', listener, { signal });
  return () => done.abort();
}

/** Whether the page is being printed. It is drawn before the browser lays out the paper. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isBegun || paper.matches);
}
