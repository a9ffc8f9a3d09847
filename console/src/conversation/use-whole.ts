import { startTransition, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { awaitComposer } from '../composer/presence.ts';
import { holdOpening } from '../live/opening.ts';
import { afterPaint } from '../parts/after-paint.ts';

/** The rest waits so long at the most for the texts. */
const mostMs = 200;

/** A press on a row of the list opens another conversation instead. */
const rowOfList = 'a[data-id]';

/**
 * Whether everything of a conversation is drawn, or its name and its newest texts alone, which people switch for. All that can be
 * pressed takes longer than these. It is drawn after they are painted, or before the page hears of the next key, press or wheel.
 */
export function useWhole(conversation_id: string, isWholeAtOnce: boolean): { isWhole: boolean; onTexts: () => void } {
  const [isWhole, setWhole] = useState(isWholeAtOnce);
  const callOff = useRef<() => void>(undefined);
  const onTexts = useCallback(() => {
    callOff.current ??= afterPaint(() => startTransition(() => setWhole(true)));
  }, []);
  useEffect(() => {
    if (isWhole) return;
    const stop = new AbortController();
    const hear = ({ target }: Event) => {
      if (!(target instanceof Element && target.closest(rowOfList))) flushSync(() => setWhole(true));
    };
    for (const kind of ['keydown', 'pointerdown', 'wheel']) {
      addEventListener(kind, hear, { capture: true, passive: true, signal: stop.signal });
    }
    const timer = setTimeout(onTexts, mostMs);
    const releases = [holdOpening(conversation_id), awaitComposer()];
    return () => {
      for (const release of releases) release();
      stop.abort();
      clearTimeout(timer);
      callOff.current?.();
    };
  }, [conversation_id, isWhole, onTexts]);
  return { isWhole, onTexts };
}
