import { setTimeout as pause } from 'node:timers/promises';
import { requestOperator } from '@majlis/testing/operator';
import { joinWorkspace } from '@majlis/testing/people';
import { publicId } from '../server/src/database/ids.ts';
import { type ConsoleScene, setConsoleScene, storeInbound } from './console/console-scene.ts';
import { openFigures, quantileOf, time } from './console/figures.ts';
import { openConsoleClient } from './live/console-client.ts';
import { watchPage } from './live/watch-page.ts';
import { print } from './print.ts';

const clients = 50;
const rates = [20, 40, 80] as const;
/** People look at few conversations at a time, of which several are the same. */
const viewed = 25;

/**
 * The time from the commit of a message until it is shown, at 50 consoles of one workspace with 100,000 conversations, each of which
 * shows everything that is open. One of them is Chromium. The messages are written by SQL, so that the service does nothing else.
 */
export async function measureLive(seconds: number): Promise<void> {
  await using scene = await setConsoleScene();
  const figures = openFigures();
  const targets = await latestConversations(scene);
  const commits = new Map<string, number>();
  const lags: number[] = [];
  const people = await joinPeople(scene);
  const opening = people.map((member, n) => {
    const shown = new Set<string>();
    const text = (body: string) => {
      const now = Date.now();
      for (const [token] of body.matchAll(/lag-\d+-/g)) {
        const at = commits.get(token);
        if (at === undefined || shown.has(token)) continue;
        shown.add(token);
        lags.push(now - at);
      }
    };
    const conversation = publicId('conversation', targets[n % viewed]!);
    return openConsoleClient(scene.service.url, publicId('workspace', scene.workspace_id), member, conversation, {
      text,
    });
  });
  const open = await Promise.all(opening);
  const page = await watchPage(scene, publicId('conversation', targets[0]!));

  const rest = await costsOf(scene, seconds, () => pause(seconds * 1000));
  for (const client of open) client.announce();
  await pause(2_000);
  const present = await costsOf(scene, seconds, () => pause(seconds * 1000));
  print(`${clients} consoles at rest: service, PostgreSQL`, inWords(rest));
  print('  with their presence', inWords(present));
  for (const rate of rates) {
    lags.length = 0;
    page.forget();
    const busy = await costsOf(scene, seconds, () => write(scene, targets, commits, rate, seconds));
    await pause(2_000);
    const shown = page.lags(commits);
    const [all, share] = [
      busy.service + busy.postgres,
      present.service + present.postgres - rest.service - rest.postgres,
    ];
    print(`${rate} messages a second: service, PostgreSQL`, inWords(busy));
    if (rate === rates[0]) {
      figures.measure('  both, ms of processor time a second', all * 10, time(600));
      figures.measure('  of these presence, %', (100 * share) / all, time(10));
    }
    figures.measure(`  shown at a console, p95 of ${lags.length}`, quantileOf(lags, 0.95), time(300));
    print('  its p50, p99', `${quantileOf(lags, 0.5)} ms, ${quantileOf(lags, 0.99)} ms`);
    figures.measure(`  painted in Chromium, p95 of ${shown.length}`, quantileOf(shown, 0.95), time(300));
    print('  seen by Chromium, of all', `${((100 * shown.length) / (rate * seconds)).toFixed(0)} %`);
  }
  for (const client of open) client.end();
  await page.close();
}

/** Percent of one core. */
interface Costs {
  service: number;
  postgres: number;
}

const inWords = ({ service, postgres }: Costs) => `${service.toFixed(1)} %, ${postgres.toFixed(1)} % of one core`;

async function costsOf(
  { environment, service }: ConsoleScene,
  seconds: number,
  act: () => Promise<unknown>,
): Promise<Costs> {
  const measured = environment.measureCosts(service);
  await act();
  const [ofService, ofPostgres] = measured();
  return { service: ofService / (10 * seconds), postgres: ofPostgres / (10 * seconds) };
}

/** Writes in an open loop: a slow commit delays none that comes behind it. */
async function write(
  scene: ConsoleScene,
  targets: readonly string[],
  commits: Map<string, number>,
  rate: number,
  seconds: number,
): Promise<void> {
  const start = performance.now();
  const first = commits.size;
  await Promise.all(
    Array.from({ length: rate * seconds }, async (_, n) => {
      await pause(Math.max(0, start + (n * 1000) / rate - performance.now()));
      const token = `lag-${first + n}-`;
      await storeInbound(scene, targets[(n * 7) % targets.length]!, token);
      commits.set(token, Date.now());
    }),
  );
}

async function latestConversations({ environment: { db }, workspace_id }: ConsoleScene): Promise<string[]> {
  const { rows } = await db.query(
    `select id from conversations where workspace_id = $1 and status = 'open' order by last_message_at desc limit 200`,
    [workspace_id],
  );
  return rows.map(({ id }) => id);
}

async function joinPeople({ service: { url }, workspace_id }: ConsoleScene) {
  const operator = (method: string, path: string, body?: unknown) => requestOperator(url, method, path, body);
  const workspace = { id: publicId('workspace', workspace_id), applied: { workspace: { name: 'Bench 0' } } };
  const people = [];
  for (let n = 1; n < clients; n++) people.push(await joinWorkspace({ url, operator }, workspace, { role: 'agent' }));
  return people;
}
