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
const betweenMs = 43;
/** A browser draws what was changed within it, unless it is slow. */
const frameMs = 17;
/** A slow one rests so many times as long as it drew, so that a busy team leaves it free for the person. */
const restsPerDrawing = 2;

/**
 * Shows rows together that are told within a moment, of each conversation the last one. The first of them is shown at once. The
 * next ones wait for a time that grows with what a drawing takes.
 */
export function gatherRows(show: (rows: readonly ToldAt[]) => void): GatheredRows {
  const waiting = new Map<string, ToldAt>();
  let isWaiting = false;

  function flush(): void {
    const rows = [...waiting.values()];
    waiting.clear();
    if (rows.length > 0) show(rows);
  }
  /** Goes on while rows come. */
  function showAndWait(): void {
    isWaiting = waiting.size > 0;
    if (!isWaiting) return;
    const drawnBy = performance.now() + frameMs;
    flush();
    setTimeout(
      () => setTimeout(showAndWait, Math.max(betweenMs, restsPerDrawing * (performance.now() - drawnBy))),
      frameMs,
    );
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
