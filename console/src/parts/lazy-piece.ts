import { type ComponentType, lazy } from 'react';
import { connectionStore } from '../live/connection.ts';
import { loadWords } from '../words/words.ts';
import { type Closable, insteadOfClosable, insteadOfPiece, type StandIn } from './missing-part.ts';

type Words = Parameters<typeof loadWords>[0];

/** The first view is over by then, on a slow machine too. */
const restMs = 15_000;
const againMs = 1_000;
/** How often a failed part is tried again. While the page connects, and for strangers always, nobody knows whether it is gone. */
const patience = { live: 0, connecting: 3, offline: Infinity };

/**
 * A part within a page that is drawn later, if at all, and its words. They are loaded in a quiet moment, so that the part opens
 * without a network too.
 */
export function lazyPiece<Props extends object>(load: () => Promise<ComponentType<Props>>, words?: Words) {
  return lazyInPage(load, insteadOfPiece, words);
}

/** The same of a part that a person opens, as a menu, a dialog or a panel. */
export function lazyClosable<Props extends Closable>(load: () => Promise<ComponentType<Props>>, words?: Words) {
  return lazyInPage(load, insteadOfClosable, words);
}

function lazyInPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  standIn: StandIn<NoInfer<Props>>,
  words: Words | undefined,
) {
  const loadBoth = async () => (await Promise.all([load(), words && loadWords(words)]))[0];
  setTimeout(() => whenIdle(() => void loadBoth().catch(() => {})), restMs);
  return lazy(async () => {
    return { default: await untilLoaded(loadBoth).catch(standIn) };
  });
}

/** Without a connection, the part comes with the connection. A fault would take away the page around it. */
export async function untilLoaded<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let failures = 0; ; failures++) {
    try {
      return await load();
    } catch (error) {
      if (failures >= patience[connectionStore.get()]) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, againMs));
  }
}

/** Not every browser tells when it is idle. */
export function whenIdle(run: () => void): void {
  if (window.requestIdleCallback) window.requestIdleCallback(run);
  else setTimeout(run, 500);
}
