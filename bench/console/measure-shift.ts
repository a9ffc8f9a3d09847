import { type ConsolePage, type ConsoleScene, metricsOf } from './console-scene.ts';
import { type Figures, number, size } from './figures.ts';
import { rowsOf } from './measure-switch.ts';
import { stirInbox } from './stir-inbox.ts';

const atOnce = 400;
// In a shift a person opens so many conversations, and does the rest now and then.
const opensOfShift = 480;
const leastOpens = 40;

/**
 * The heap after a shift. Time is compressed: the service tells the events of eight hours through the real stream, as fast as the
 * page takes them, and meanwhile a person opens conversations, answers, searches and changes the view. What depends on the clock
 * alone, such as renewals every few seconds, happens as often as the run takes.
 */
export async function measureShift(scene: ConsoleScene, figures: Figures, events: number): Promise<void> {
  await using opened = await scene.open();
  const { page, devtools } = opened;
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await page.goto(scene.inbox_url);
  await page.evaluate('probe.ready(false)');
  const { body: session } = await scene.member.get('/session');
  await page.evaluate(`probe.follow('majlis-${session.person.id}')`);
  const before = await heapOf(opened);
  const stir = await stirInbox(scene.environment.db, scene.workspace_id);
  const opens = Math.max(leastOpens, Math.round((opensOfShift * events) / 576_000));
  const from = performance.now();
  let done = 0;
  let acted = 0;
  while (done < events) {
    const position = await stir(atOnce);
    for (let told = 0; told < position; ) {
      ({ position: told } = (await page.evaluate('probe.followed()')) as { position: number });
      if (told < position) await page.waitForTimeout(20);
    }
    done = ((await page.evaluate('probe.followed()')) as { told: number }).told;
    for (; acted < (opens * done) / events; acted++) await act(opened, acted);
  }
  const seconds = (performance.now() - from) / 1000;
  const after = await heapOf(opened);
  figures.note('a shift: events told, conversations opened', `${done}, ${acted} in ${seconds.toFixed(0)} s`);
  figures.note(
    '  heap before it, elements, listeners',
    `${before.mb.toFixed(1)} MB, ${before.nodes}, ${before.listeners}`,
  );
  figures.measure('  heap after it', after.mb, size(150, 'MB'));
  figures.measure('  elements after it', after.nodes, number(10_000));
  figures.measure('  listeners after it', after.listeners, number(5_000));
}

async function act(opened: ConsolePage, n: number): Promise<void> {
  const { page } = opened;
  if (n % 20 === 19)
    await page
      .locator('main nav a')
      .nth(Math.floor(n / 20) % 3)
      .click();
  if (n % 10 === 9) await search(opened);
  const rows = await rowsOf(opened);
  const row = rows[n % rows.length];
  if (!row) return;
  await page
    .locator(`main a[data-id="${row.id}"]`)
    .click({ timeout: 5_000 })
    .catch(() => {});
  await page.waitForTimeout(200);
  if (n % 3 === 0) await answer(opened, `Answer ${n}`);
}

async function search({ page }: ConsolePage): Promise<void> {
  await page.getByRole('searchbox').fill('Noor');
  await page.waitForTimeout(800);
  await page.getByRole('searchbox').fill('');
  await page.locator('main [role=group] ul a[data-id]').first().waitFor();
}

/** Conversations whose window is over take no answer. */
async function answer({ page }: ConsolePage, text: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Reply to the customer' });
  if (!(await box.isEditable({ timeout: 2_000 }).catch(() => false))) return;
  await box.fill(text);
  await box.press('Enter');
}

interface Heap {
  mb: number;
  nodes: number;
  listeners: number;
}

/** After a forced collection of what is not used any more. */
async function heapOf(opened: ConsolePage): Promise<Heap> {
  await opened.page.waitForTimeout(3_000);
  for (let n = 0; n < 3; n++) await opened.devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await opened.devtools.send('Runtime.getHeapUsage');
  const { Nodes: nodes, JSEventListeners: listeners } = await metricsOf(opened);
  return { mb: usedSize / 1_000_000, nodes: nodes!, listeners: listeners! };
}
