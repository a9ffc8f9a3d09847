import type { LiveRow } from '@majlis/console-api';

export interface GatheredRows {
  take(row: LiveRow): void;
  /** Shows what waits, before a change that the rows must not follow. */
  flush(): void;
  /** Drops what waits. */
  clear(): void;
}

// Each drawing of a list costs a browser more than its rows.
const betweenMs = 150;

/** Shows rows together that are told within a moment, of each conversation the last one. The first of them is shown at once. */
export function gatherRows(show: (rows: readonly LiveRow[]) => void): GatheredRows {
  const waiting = new Map<string, LiveRow>();
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
    take(row) {
      waiting.delete(row.conversation_id);
      waiting.set(row.conversation_id, row);
      // Rows of one moment come in one task, and are shown in one.
      if (!isWaiting) setTimeout(showAndWait);
      isWaiting = true;
    },
    flush,
    clear: () => waiting.clear(),
  };
}
