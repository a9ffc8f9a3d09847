import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApi } from '@majlis/testing/api';
import { within } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { createFaultEnvironment, type FaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { createFaultWorkspace } from '@majlis/testing/faults/fault-workspace';
import { postSigned } from '@majlis/testing/notifications';
import { operatorToken } from '@majlis/testing/operator';
import { repeat } from '@majlis/testing/repeat';
import { readConfig } from '../../server/src/process/config.ts';
import type { ProofRun } from '../section.ts';
import { type BoundedRequest, boundedRequests, plainRequests } from './bounded-requests.ts';
import { fillWorkspace } from './bounded-workspace.ts';
import { bulkRequests, notificationOfMany, notificationsAtBound } from './bulk-requests.ts';
import { consoleRequests, plainConsoleRequests, quoteOfMany } from './console-requests.ts';
import { fillLists } from './full-lists.ts';

const most_ms = 100;
const mostFaults = 20;
const mostAnswerMs = 60_000;

/**
 * Every text, list and object of every request at its bound, in the worst shapes known, while a second workspace sends small
 * requests: no turn of the service's event loop takes 100 ms of processor time, and no answer is a 5xx. Then the process is
 * killed: what was stored or enqueued stops the next one no more (hazards H109 and H110).
 */
export async function proveBounds({ seed, count, log }: ProofRun): Promise<string[]> {
  const environment = await createFaultEnvironment({ seed });
  const stops = path.join(environment.data_dir, 'loop-stops');
  const watch = fileURLToPath(new URL('./watch-loop.ts', import.meta.url));
  const majlis = await environment.majlis({ NODE_OPTIONS: `--import=${watch}`, LOOP_STOPS: stops });
  await majlis.start();
  const newStops = createStopReader(stops);
  // Modules are loaded before the process is ready, and no request waits for it.
  log(`the start took ${largest(await newStops())} ms of processor time at once`);
  const workspace = await createFaultWorkspace(environment, majlis.url, { customers: 3 });
  const { names, owner } = await fillWorkspace(majlis.url, workspace.name, `+${workspace.customers[0]}`);
  const { bounds, quotas } = readConfig({}, 'migrate');
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const ask = (request: BoundedRequest) => send(majlis.url, headersFor(request, names.key!, cookie), request);
  const faults: string[] = [];
  let longest = 0;
  const judge = async (title: string) => {
    const ms = largest(await newStops());
    longest = Math.max(longest, ms);
    if (ms >= most_ms) faults.push(`${title}: the event loop stopped for ${ms} ms`);
  };
  // Functions are compiled at their first use.
  const plain = [...plainRequests(names), ...plainConsoleRequests(names)];
  for (let round = 0; round < 3; round++) for (const request of plain) await ask(request);
  await untilIdle(environment);
  await judge('the first requests');
  log(`the first requests stopped the event loop for ${longest} ms`);

  const statuses = new Map<number, number>();
  // The console's come first: some of them need a proof of identity of the last ten minutes.
  const possible = [...consoleRequests(bounds, names), ...boundedRequests(bounds, names), ...bulkRequests(bounds)];
  const full = await fillLists(createApi(majlis.url, names.key!), quotas);
  await judge('the filling of the lists');
  const requests = [quoteOfMany(names), ...full, ...sample(possible, count, environment)];
  let current = '';
  const neighbour = watchNeighbour(majlis.url, names.neighbour_key!, () => current);
  for (const request of requests) {
    current = request.title;
    // A stored draft would refuse the next by its version.
    if (request.title.startsWith('saveDraft')) await environment.sql('delete from drafts');
    const status = await ask(request).catch((error: Error) => error);
    if (status instanceof Error) return [...faults, `${request.title}: ${status.message}`];
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status >= 500) faults.push(`${request.title}: answered ${status}`);
    await judge(request.title);
    if (faults.length >= mostFaults) return faults;
  }
  const longTexts = sample(notificationsAtBound(workspace), count / 20, environment);
  const notifications = [notificationOfMany(workspace, 3_000), ...longTexts];
  for (const { title, body } of notifications) {
    const posted = postSigned(majlis as never, body, workspace.app_secret);
    const { status } = await within(posted, mostAnswerMs, `the answer to ${title}`);
    if (status !== 200) faults.push(`${title}: answered ${status}`);
    await untilIdle(environment);
    await judge(title);
  }
  const ids = notifications.flatMap(({ ids }) => ids);
  const [stored] = await environment.sql('select count(*)::int from messages where platform_message_id = any ($1)', [
    ids,
  ]);
  if (stored!.count !== ids.length)
    faults.push(`${ids.length - stored!.count} of ${ids.length} notifications were lost`);
  await untilIdle(environment);
  await judge('the jobs of all requests');
  log(
    `${requests.length} requests: ${[...statuses]
      .sort()
      .map(([status, n]) => `${status} × ${n}`)
      .join(', ')}`,
  );
  log(`the longest stop took ${longest} ms; ${await neighbour.stop()}`);

  // The jobs of these requests meet the kill.
  const runs = requests.filter(({ title }) => title.startsWith('startWorkflowRun'));
  await Promise.all(runs.slice(0, 20).map(ask));
  await majlis.kill();
  await majlis.start();
  await pause(1_000);
  await newStops();
  await untilIdle(environment);
  await judge('after a kill and a start');
  return faults;
}

/** Requests of all kinds, evenly; all of them where `count` is larger. */
function sample<Item>(items: Item[], count: number, { random }: FaultEnvironment): Item[] {
  if (items.length <= count) return items;
  const offset = random.between(0, 1_000);
  return items.filter((_, index) => (index * 7_919 + offset) % items.length < count);
}

function headersFor({ path: at, body }: BoundedRequest, key: string, cookie: string): Record<string, string> {
  const token = at.startsWith('/operator') ? operatorToken : key;
  return {
    ...(at.startsWith('/console') ? { cookie, 'sec-fetch-site': 'same-origin' } : { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
}

/** Answers the status. A stream of events has no end: its first part is read, and it is closed. */
async function send(url: string, headers: Record<string, string>, request: BoundedRequest): Promise<number> {
  const { title, method, path: at, body } = request;
  const end = new AbortController();
  const ask = async () => {
    const response = await fetch(url + at, {
      method,
      headers,
      signal: end.signal,
      ...(body !== undefined && { body }),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    await (isStream ? response.body!.getReader().read() : response.arrayBuffer());
    return response.status;
  };
  try {
    return await within(ask(), mostAnswerMs, `the answer to ${title}`);
  } finally {
    end.abort();
  }
}

/** Answers the stops since the last call. The watched process writes one at the end of the turn. */
function createStopReader(file: string): () => Promise<number[]> {
  let read = 0;
  return async () => {
    await pause(5);
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1);
    const fresh = lines.slice(read).map(Number);
    read = lines.length;
    return fresh;
  };
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

/** Small requests of another workspace, one after the other. `stop` answers how long they took. */
function watchNeighbour(url: string, key: string, during: () => string): { stop(): Promise<string> } {
  const api = createApi(url, key);
  const took: number[] = [];
  let worst = { ms: 0, title: '' };
  const stop = repeat(async () => {
    const from = performance.now();
    await within(api.get('/me'), mostAnswerMs, `the answer to a neighbour during ${during()}`);
    const ms = Math.round(performance.now() - from);
    took.push(ms);
    if (ms > worst.ms) worst = { ms, title: during() };
    await pause(20);
  });
  return {
    async stop() {
      await stop();
      took.sort((a, b) => a - b);
      const p99 = took[Math.floor(took.length * 0.99)];
      return `a neighbour waited ${p99} ms at the 99th percentile, ${worst.ms} ms at most, during ${worst.title}`;
    },
  };
}

/** Waits until no job is due. */
function untilIdle({ sql }: FaultEnvironment): Promise<unknown> {
  return eventually(
    () =>
      sql<{ kind: string; count: number }>(`select kind, count(*)::int from jobs where run_at <= now() group by kind`),
    (due) => due.length === 0,
    60_000,
  );
}
