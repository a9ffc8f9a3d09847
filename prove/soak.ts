import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventTypes } from '@majlis/contract';
import { createApi } from '@majlis/testing/api';
import { within } from '@majlis/testing/cleanup';
import { createFaultEnvironment, type FaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startFaultService } from '@majlis/testing/faults/fault-workspace';
import type { RestartableService } from '@majlis/testing/faults/restartable-service';
import { startLoad } from '@majlis/testing/faults/start-load';
import { samples, uploadFile } from '@majlis/testing/media';
import { repeat } from '@majlis/testing/repeat';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';
import type { ProofRun } from './section.ts';

const collectGarbage = fileURLToPath(new URL('./collect-garbage.ts', import.meta.url));
const env = { WEBHOOK_ALLOW_PRIVATE: '1', NODE_OPTIONS: `--import=${collectGarbage}` };
const mostMbPerMinute = { quick: 15, full: 1 };
const mostAnswerMs = 5_000;
const mostDeadRows = 50_000;

interface Sample {
  minutes: number;
  rss_mb: number;
  /** How long the process took to answer a request that needs nothing but its event loop. */
  answer_ms: number;
}

/**
 * Sends, customers, events, lists and files for so many seconds, on the embedded PostgreSQL as an operator has it: memory
 * does not climb, the event loop answers, dead rows are cleaned away, and the accounts are right at the end.
 */
export async function proveSoak({ seed, count, quick, log }: ProofRun): Promise<string[]> {
  const environment = await createFaultEnvironment({ seed, embedded: true });
  const { majlis, workspace } = await startFaultService(environment, env);
  const receiver = await startWebhookReceiver();
  const api = createApi(majlis.url, workspace.key);
  const countEvents = async () =>
    (
      await environment.sql<{ n: number }>(
        `select count(*)::int as n from events where type = any ('{${eventTypes.join()}}')`,
      )
    )[0]!.n;
  const before = await countEvents();
  await api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] });
  const load = startLoad(environment, majlis.url, workspace);
  const stopReading = keepReading(majlis, workspace.key);
  const samplesOf = await watch(majlis, count);
  const reads = await stopReading();
  const dead = await deadRows(environment);
  const counts = await load.finish();
  const events = new Set(receiver.arrivals.map(({ event }) => event.id)).size;
  log(`${count} s: ${JSON.stringify(counts)}, ${events} events received, ${reads} reads and files`);
  const owed = (await countEvents()) - before;
  const lost = events === owed ? [] : [`${owed} events were recorded, and ${events} were received`];
  return [
    ...lost,
    ...judge(samplesOf, quick ? mostMbPerMinute.quick : mostMbPerMinute.full, log),
    ...judgeDead(dead, log),
  ];
}

/** Lists and small files, again and again. */
function keepReading({ url }: RestartableService, key: string) {
  const api = createApi(url, key);
  const paths = ['/conversations', '/contacts?q=9120', '/analytics/overview', '/webhook-endpoints', '/tags'];
  let reads = 0;
  const stop = repeat(async () => {
    const { status } = await api.get(paths[reads++ % paths.length]!);
    if (status >= 500) throw new Error(`a list was answered ${status}`);
    if (reads % 10 === 0) await uploadFile({ url }, { key }, samples.png);
    await pause(20);
  });
  return async () => {
    await stop();
    return reads;
  };
}

async function watch(majlis: RestartableService, seconds: number): Promise<Sample[]> {
  const taken: Sample[] = [];
  const begun = performance.now();
  while (performance.now() - begun < seconds * 1000) {
    await pause(500);
    const from = performance.now();
    const asked = fetch(`${majlis.url}/healthz`).then((response) => response.text());
    await within(asked, 60_000, 'the answer to /healthz');
    const answer_ms = performance.now() - from;
    const status = await readFile(`/proc/${majlis.pid()}/status`, 'utf8');
    const rss_mb = Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
    taken.push({ minutes: (from - begun) / 60_000, rss_mb, answer_ms });
  }
  return taken;
}

function judge(taken: readonly Sample[], mostSlope: number, log: ProofRun['log']): string[] {
  // The first third warms up: code is compiled and pools are filled.
  const steady = taken.slice(Math.floor(taken.length / 3));
  const slope = slopeOf(steady);
  const answers = taken.map(({ answer_ms }) => answer_ms).sort((a, b) => a - b);
  const p99 = answers[Math.floor(answers.length * 0.99)]!;
  const most = Math.max(...taken.map(({ rss_mb }) => rss_mb));
  log(`memory ${most.toFixed(0)} MB at most, ${slope.toFixed(2)} MB more each minute`);
  log(`the event loop answered within ${p99.toFixed(0)} ms (p99), ${answers.at(-1)!.toFixed(0)} ms at most`);
  return [
    ...(slope > mostSlope ? [`memory climbs by ${slope.toFixed(2)} MB a minute`] : []),
    ...(answers.at(-1)! > mostAnswerMs ? ['the event loop stood still'] : []),
  ];
}

/** By least squares, in MB a minute. */
function slopeOf(taken: readonly Sample[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(taken.map(({ minutes }) => minutes)), mean(taken.map(({ rss_mb }) => rss_mb))];
  const above = taken.reduce((sum, { minutes, rss_mb }) => sum + (minutes - x) * (rss_mb - y), 0);
  return above / taken.reduce((sum, { minutes }) => sum + (minutes - x) ** 2, 0);
}

type Dead = { name: string; dead: number; live: number };

function deadRows({ sql }: FaultEnvironment): Promise<Dead[]> {
  return sql<Dead>(`
    select relname as name, n_dead_tup::int as dead, n_live_tup::int as live
    from pg_stat_user_tables order by n_dead_tup desc limit 4`);
}

function judgeDead(tables: readonly Dead[], log: ProofRun['log']): string[] {
  log(`dead rows: ${tables.map(({ name, dead, live }) => `${name} ${dead} beside ${live}`).join(', ')}`);
  return tables
    .filter(({ dead, live }) => dead > mostDeadRows + live)
    .map(({ name, dead }) => `${dead} dead rows of ${name} were not cleaned away`);
}
