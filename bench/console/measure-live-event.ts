import { type ConsolePage, type ConsoleScene, metricsOf, storeInbound, throttling } from './console-scene.ts';
import { type Figures, number, time } from './figures.ts';
import { endsOf } from './measure-first-view.ts';
import { rowsOf } from './measure-switch.ts';

const events = 200;
const perSecond = 20;

/**
 * The work of the main thread for a message of a customer, with everything that follows: the list, the counts and the open thread
 * are read and drawn again. At 20 a second, as in a large team; the work of a page at rest is subtracted. On the slow computer, and
 * on this one.
 */
export async function measureLiveEvent(scene: ConsoleScene, figures: Figures): Promise<void> {
  await using opened = await scene.open();
  const { page } = opened;
  await page.goto(`${scene.inbox_url}`);
  await page.evaluate('probe.ready(false)');
  await page.locator(`main a[data-id="${(await rowsOf(opened))[0]!.id}"]`).click();
  await measureAt(scene, opened, figures, throttling);
  await measureAt(scene, opened, figures, 1);
}

async function measureAt(scene: ConsoleScene, opened: ConsolePage, figures: Figures, rate: number): Promise<void> {
  const { page, devtools, requests } = opened;
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
  await page.waitForTimeout(3_000);
  const seconds = events / perSecond;
  const rest = await workOf(opened, () => page.waitForTimeout(seconds * 1000));
  const targets = await openConversations(scene);
  const before = requests.length;
  const work = await workOf(opened, async () => {
    const from = performance.now();
    for (let n = 0; n < events; n++) {
      await storeInbound(scene, targets[n % targets.length]!);
      await page.waitForTimeout(Math.max(0, (n + 1) * (1000 / perSecond) - (performance.now() - from)));
    }
    await page.waitForTimeout(1_000);
  });
  const each = (of: Work) => of.task_ms / events;
  const what = `a live event at ${perSecond}/s, everything that follows`;
  figures.measure(`${what}: main thread, ${rate} × slower`, each(work) - each(rest), time(8));
  const asked = requests.slice(before);
  figures.measure('  requests for each event', asked.length / events, number(0.5));
  figures.note('  of all', endsOf(asked));
}

interface Work {
  task_ms: number;
}

async function workOf(opened: ConsolePage, act: () => Promise<void>): Promise<Work> {
  const before = await metricsOf(opened);
  await act();
  const after = await metricsOf(opened);
  return { task_ms: (after.TaskDuration! - before.TaskDuration!) * 1000 };
}

/** Conversations anywhere in the list of open ones. */
async function openConversations({ environment: { db }, workspace_id }: ConsoleScene): Promise<string[]> {
  const { rows } = await db.query(
    `select id from conversations where workspace_id = $1 and status = 'open' order by random() limit 200`,
    [workspace_id],
  );
  return rows.map(({ id }) => id);
}
