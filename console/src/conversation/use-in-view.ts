import { useEffect } from 'react';
import { beInView } from '../notices/in-view.ts';

/** The conversation notifies of nothing while the person looks at it in this tab. The same look marks its messages as read. */
export function useInView(conversation_id: string): void {
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let end: (() => void) | undefined;
    function follow() {
      const isLookedAt = document.visibilityState === 'visible' && document.hasFocus();
      if (isLookedAt) end ??= beInView(conversation_id);
      else leave();
    }
    function leave() {
      end?.();
      end = undefined;
    }
    follow();
    addEventListener('focus', follow, { signal });
    addEventListener('blur', follow, { signal });
    document.addEventListener('visibilitychange', follow, { signal });
    return () => {
      stop.abort();
      leave();
    };
  }, [conversation_id]);
}
