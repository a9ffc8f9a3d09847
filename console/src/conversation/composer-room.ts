import { type RefObject, useEffect } from 'react';

/** The height of the composer of each conversation that was open. */
const heights = new Map<string, number>();
/** That of a composer of which the service has told nothing yet. */
let ordinary: number | undefined;

/** The height that a composer is going to have, so that the thread does not move when it comes. Undefined before the first one. */
export function roomOfComposer(conversation_id: string): number | undefined {
  return heights.get(conversation_id) ?? ordinary;
}

/** Follows the height of the composer in this place, once it is drawn. */
export function useRoomOfComposer(
  place: RefObject<HTMLElement | null>,
  conversation_id: string,
  isDrawn: boolean,
): void {
  useEffect(() => {
    const composer = isDrawn && place.current?.querySelector(`[data-composer="${conversation_id}"]`);
    if (!composer) return;
    const observer = new ResizeObserver(([entry]) => {
      const height = entry!.borderBoxSize[0]!.blockSize;
      if (!heights.has(conversation_id)) ordinary = height;
      heights.set(conversation_id, height);
    });
    observer.observe(composer);
    return () => observer.disconnect();
  }, [place, conversation_id, isDrawn]);
}
