import type { LiveRow } from '@majlis/console-api';

export interface ToldAt {
  row: LiveRow;
  /** The moment at which it was told: what the person changes while it waits is newer. */
  since: number;
}

export interface GatheredRows {
  take(told: ToldAt): void;
  /** Shows what waits, before a change that the rows must not follow. */
  flush(): void;
  /** Drops what waits. */
  clear(): void;
}

// Each drawing of a list costs a browser more than its rows.
const betweenMs = 60;

/** Shows rows together that are told within a moment, of each conversation the last one. The first of them is shown at once. */
export function gatherRows(show: (rows: readonly ToldAt[]) => void): GatheredRows {
  const waiting = new Map<string, ToldAt>();
  let isWaiting = false;

  function flush(): void {
    if (waiting.size === 0) return;
    const rows = [...waiting.values()];
    waiting.clear();
    show(rows);
  }
  /** Goes on while rows come. */
  function showAndWait(): void {
    isWaiting = waiting.size > 0;
    if (isWaiting) setTimeout(showAndWait, betweenMs);
    flush();
  }

  return {
    take(told) {
      const { conversation_id } = told.row;
      waiting.delete(conversation_id);
      waiting.set(conversation_id, told);
      // Rows of one moment come in one task, and are shown in one.
      if (!isWaiting) setTimeout(showAndWait);
      isWaiting = true;
    },
    flush,
    clear: () => waiting.clear(),
  };
}
