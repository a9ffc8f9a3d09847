import type { LiveChange, LiveRemoval, LiveRow } from '@majlis/console-api';

/** What a part of the console does when the service tells a change. */
export interface LiveListener {
  /** One change, in the order of the stream. */
  onChange?(change: LiveChange | LiveRemoval): void;
  /** A row of the inbox, as it was told at the moment. */
  onRow?(told: LiveRow, since: number): void;
  /** Changes may be missing: everything that is shown must be read again. */
  onGap?(): void;
  /** Another person signs in, or nobody: what is in memory belongs to somebody else. */
  onForget?(): void;
}

const listeners = new Set<LiveListener>();

/** Returns a function that ends the listening. */
export function listenToChanges(listener: LiveListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function tellChange(change: LiveChange | LiveRemoval): void {
  for (const listener of listeners) listener.onChange?.(change);
}

export function tellRow(told: LiveRow, since: number): void {
  for (const listener of listeners) listener.onRow?.(told, since);
}

export function tellGap(): void {
  for (const listener of listeners) listener.onGap?.();
}

export function tellForget(): void {
  for (const listener of listeners) listener.onForget?.();
}
