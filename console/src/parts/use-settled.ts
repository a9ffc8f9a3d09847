import { useDeferredValue } from 'react';

/** False where a part is drawn for the first time. True a moment later, in a drawing that waits for what is more urgent. */
export function useSettled(): boolean {
  return useDeferredValue(true, false);
}
