import type { ConsolePage, ConsoleScene } from './console-scene.ts';
import { type Figures, median, number, quantileOf, time } from './figures.ts';
import { endsOf } from './measure-first-view.ts';

interface Row {
  id: string;
  name: string;
}

/** How long a pointer rests on a row before it presses: a quick person needs that long. */
const restMs = 100;
// Between two switches everything that the first one has begun is over.
const pauseMs = 700;

/** From the press to the painted thread, for threads that the page has in memory and for those that it never met. */
export async function measureSwitch(scene: ConsoleScene, figures: Figures, switches: number): Promise<void> {
  await using opened = await scene.open();
  const { page } = opened;
  await page.goto(`${scene.inbox_url}?view=mine`);
  await page.evaluate('probe.ready(false)');
  await press(opened, (await rowsOf(opened))[0]!, restMs);

  const unknown = await switchThrough(opened, switches, restMs);
  report(figures, 'switch to an unknown conversation, pressed after 0.1 s over it', unknown);
  const sudden = await switchThrough(opened, switches, 0);
  report(figures, 'switch to an unknown conversation, pressed at once', sudden);

  const rows = (await rowsOf(opened)).slice(1, 7);
  for (const row of rows) await press(opened, row, restMs);
  const known: Switches = { times: [], requests: [] };
  for (let n = 0; n < switches; n++) await press(opened, rows[n % rows.length]!, restMs, known);
  report(figures, 'switch to a known conversation', known);
}

interface Switches {
  times: number[];
  requests: string[][];
}

/** Each switch is to a conversation that was not open yet: the list is scrolled on. */
async function switchThrough(opened: ConsolePage, count: number, rest: number): Promise<Switches> {
  const done: Switches = { times: [], requests: [] };
  const met = metBy(opened);
  while (done.times.length < count) {
    const fresh = (await rowsOf(opened)).filter(({ id }) => !met.has(id));
    for (const row of fresh.slice(1, -2)) {
      if (done.times.length < count) await press(opened, row, rest, done);
      met.add(row.id);
    }
    await opened.page.mouse.move(200, 500);
    await opened.page.mouse.wheel(0, 500);
    await opened.page.waitForTimeout(pauseMs);
  }
  return done;
}

const met = new WeakMap<ConsolePage, Set<string>>();
function metBy(opened: ConsolePage): Set<string> {
  const known = met.get(opened) ?? new Set();
  met.set(opened, known);
  return known;
}

async function press({ page, requests }: ConsolePage, { id, name }: Row, rest: number, into?: Switches): Promise<void> {
  const box = await page.locator(`main a[data-id="${id}"]`).boundingBox();
  const before = requests.length;
  await page.mouse.move(box!.x + box!.width / 2, box!.y + box!.height / 2);
  if (rest > 0) await page.waitForTimeout(rest);
  await page.mouse.down();
  await page.mouse.up();
  const ms: number = await page.evaluate(`probe.switched(${JSON.stringify(name)})`);
  await page.waitForTimeout(pauseMs);
  into?.times.push(ms);
  into?.requests.push(requests.slice(before));
}

export function rowsOf({ page }: ConsolePage): Promise<Row[]> {
  return page.evaluate('probe.rows()');
}

function report(figures: Figures, what: string, { times, requests }: Switches): void {
  figures.measure(`${what}: p95 of ${times.length}`, quantileOf(times, 0.95), time(100));
  figures.note('  median', `${median(times).toFixed(0)} ms`);
  const counts = requests.map(({ length }) => length);
  figures.measure('  requests, median', median(counts), number(8));
  figures.note('  of one switch', endsOf(requests.find(({ length }) => length === median(counts))!));
}
