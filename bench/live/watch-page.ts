import type { ConsoleScene } from '../console/console-scene.ts';

interface WatchedPage {
  /** Milliseconds from each commit until its text was painted. */
  lags(commits: ReadonlyMap<string, number>): number[];
  /** Forgets what was seen so far. */
  forget(): void;
  close(): Promise<void>;
}

const watch = `(() => {
  const seen = new Set();
  const look = () => {
    const now = Date.now();
    for (const [token] of document.querySelector('main').textContent.matchAll(/lag-\\d+-/g)) {
      if (seen.has(token)) continue;
      seen.add(token);
      console.debug('painted ' + token + ' ' + now);
    }
  };
  // The frame that shows the change.
  new MutationObserver(() => requestAnimationFrame(look)).observe(document.body, { subtree: true, childList: true, characterData: true });
})()`;

/** Opens the inbox with an open conversation in Chromium, on a computer as fast as this one, and notes when texts are painted. */
export async function watchPage(scene: ConsoleScene, conversation_id: string): Promise<WatchedPage> {
  const opened = await scene.open();
  const { page, devtools } = opened;
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  let painted = new Map<string, number>();
  page.on('console', (message) => {
    const [word, token, at] = message.text().split(' ');
    if (word === 'painted') painted.set(token!, Number(at));
  });
  await page.goto(`${scene.inbox_url}/${conversation_id}`);
  await page.evaluate('probe.ready(true)');
  await page.evaluate(watch);
  return {
    lags: (commits) => [...painted].flatMap(([token, at]) => (commits.has(token) ? [at - commits.get(token)!] : [])),
    forget() {
      painted = new Map();
    },
    close: async () => opened[Symbol.asyncDispose](),
  };
}
