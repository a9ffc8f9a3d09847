import { statSync } from 'node:fs';
import type { ConsoleScene } from './console-scene.ts';
import { type Figures, median, size, time } from './figures.ts';

const loads = 5;
// What a page loads when it has nothing else to do comes later than this.
const idleMs = 3_000;

/** The scripts of the first view, and the time until it can be used, with an empty cache. */
export async function measureFirstView(scene: ConsoleScene, figures: Figures): Promise<void> {
  const [conversation] = (await scene.member.at('GET', '/inbox?view=mine&limit=1')).body.data;
  for (const [what, path, withThread] of [
    ['the inbox', '', false],
    ['the inbox with an open conversation', `/${conversation.conversation.id}`, true],
  ] as const) {
    const times: number[] = [];
    let bytes = 0;
    let bytesAhead = 0;
    let requests: string[] = [];
    for (let n = 0; n < loads; n++) {
      await using opened = await scene.open();
      await opened.page.goto(`${scene.inbox_url}${path}`, { waitUntil: 'commit' });
      times.push(await opened.page.evaluate(`probe.ready(${withThread})`));
      if (n > 0) continue;
      bytes = gzippedBytes(opened.scripts);
      await opened.page.waitForTimeout(idleMs);
      bytesAhead = gzippedBytes(opened.scripts);
      requests = [...opened.requests];
    }
    figures.measure(`${what}: scripts until it is ready, gzip`, bytes / 1000, size(withThread ? 200 : 150, 'kB'));
    figures.note(`${what}: scripts with those loaded ahead`, `${Math.round(bytesAhead / 1000)} kB`);
    figures.measure(`${what}: ready, median of ${loads} cold loads`, median(times), time(2_000));
    figures.note(`${what}: requests within ${idleMs / 1000} s`, `${requests.length}: ${endsOf(requests)}`);
  }
}

function gzippedBytes(scripts: readonly string[]): number {
  return [...new Set(scripts)].reduce((sum, path) => sum + statSync(`console/dist${path}.gz`).size, 0);
}

/** The requests by what they ask for, with the ids left out. */
export function endsOf(requests: readonly string[]): string {
  const short = requests.map((one) =>
    one.replace(/\/console\/v1(\/workspaces\/[^/]+)?/, '').replace(/\w+_\w{26}/g, ':id'),
  );
  const counts = Map.groupBy(short, (one) => one);
  return [...counts].map(([one, all]) => (all.length > 1 ? `${one} ×${all.length}` : one)).join(', ');
}
