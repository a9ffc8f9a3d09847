import { setTimeout as pause } from 'node:timers/promises';
import { createApi, type Reply } from '@majlis/testing/api';
import { within } from '@majlis/testing/cleanup';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { callOperator } from '@majlis/testing/operator';
import type { ProofRun } from './section.ts';

interface Admitted {
  /** When the client asked, and when it was answered: the admission lies between. */
  start: number;
  end: number;
}

interface Pressed {
  admitted: Admitted[];
  refused: number;
  /** What was wrong with refusals. */
  faults: string[];
}

const perMinute = { most: 600, window_ms: 60_000 };
const mostAnswerMs = 60_000;
const perSecond = { most: 50, window_ms: 1_000 };

/**
 * The clients' own log of what was admitted, held against the limits by an exact checker. With TEST_REDIS_URL two
 * processes share the limits, and the clients press both. A process to whom Redis does not answer in time counts for
 * itself, and says so: the limits then hold for each.
 */
export async function proveLimits({ seed, count, quick, log }: ProofRun): Promise<string[]> {
  const redis = process.env.TEST_REDIS_URL;
  const environment = await createFaultEnvironment({ seed });
  const env = { RATE_LIMITS: '1', ...(redis && { REDIS_URL: redis }) };
  const processes = redis
    ? [await environment.majlis(env), await environment.majlis(env)]
    : [await environment.majlis(env)];
  for (const one of processes) await one.start();
  const urls = processes.map(({ url }) => url);
  const keys = await Promise.all(['Sends', 'Requests', 'Burst'].map((name) => makeKey(urls[0]!, name)));
  const pressed = [press(urls, keys[0]!, '/messages', count * 1000), press(urls, keys[1]!, '/contacts', count * 1000)];
  const atOnce = await admitAtOnce(urls, keys[2]!);
  const [sends, requests] = (await Promise.all(pressed)) as [Pressed, Pressed];

  const alone = processes.filter((one) => one.stdout().includes('Redis does not answer')).length;
  const times = alone > 0 ? processes.length : 1;
  log(`${processes.length} process${redis ? 'es that share a Redis' : ''}, ${count} s`);
  if (alone > 0) log(`${alone} counted for themselves for a while, because Redis did not answer in time`);
  return [
    ...judgeBurst(atOnce, times, log),
    ...judge('sends', sends, { ...perSecond, most: perSecond.most * times }, log),
    ...judge('requests', requests, { ...perMinute, most: perMinute.most * times }, log),
    // In some seconds a slow machine may not come as far as the limit.
    ...(quick || (sends.refused > 0 && requests.refused > 0) ? [] : ['nothing was refused']),
  ];
}

async function makeKey(url: string, name: string): Promise<string> {
  const api_keys = [{ name: 'backend', environment: 'test', scopes: ['messages:write', 'contacts:write'] }];
  const applied = await callOperator(url, 'PUT', '/workspaces', { workspace: { name }, api_keys });
  return applied.api_keys[0].key;
}

interface Burst {
  admitted: number;
  ms: number;
  faults: string[];
}

/** More than a minute's worth in one go. */
async function admitAtOnce(urls: readonly string[], key: string): Promise<Burst> {
  const from = performance.now();
  const apis = urls.map((url) => createApi(url, key));
  const calls = Array.from({ length: 700 }, (_, n) => apis[n % apis.length]!.get('/me'));
  const replies = await within(Promise.all(calls), mostAnswerMs, 'the answers to 700 requests at once');
  const admitted = replies.filter(({ status }) => status === 200).length;
  return { admitted, ms: Math.round(performance.now() - from), faults: replies.flatMap(faultOf) };
}

/** So many are admitted at once, and no more. */
function judgeBurst({ admitted, ms, faults }: Burst, times: number, log: ProofRun['log']): string[] {
  log(`700 at once: ${admitted} admitted, within ${ms} ms`);
  const isTooMany = ms < perMinute.window_ms && admitted > perMinute.most * times;
  const isRight = admitted >= perMinute.most && !isTooMany;
  return isRight ? faults : [...faults, `of 700 at once ${admitted} were admitted`];
}

/** Clients that go on for so long, faster than is allowed. Answers what was admitted and what was wrong with refusals. */
async function press(urls: readonly string[], key: string, path: string, for_ms: number): Promise<Pressed> {
  const admitted: Admitted[] = [];
  const faults: string[] = [];
  let refused = 0;
  const end_at = performance.now() + for_ms;
  const client = async (n: number) => {
    const api = createApi(urls[n % urls.length]!, key);
    while (performance.now() < end_at) {
      const start = performance.now();
      // Without a body it is refused for that, once it is admitted.
      const reply = await within(api.post(path), mostAnswerMs, `the answer to POST ${path}`);
      if (reply.status !== 429) admitted.push({ start, end: performance.now() });
      else {
        refused++;
        faults.push(...faultOf(reply));
        await pause(15);
      }
    }
  };
  await Promise.all(Array.from({ length: 6 }, (_, n) => client(n)));
  return { admitted, refused, faults };
}

/** A refusal names the second after which it pays to come again, the same in both headers. */
function faultOf({ status, headers, text }: Reply): string[] {
  if (status !== 429) return status >= 500 ? [text] : [];
  const after = headers.get('retry-after') ?? '';
  const isRight = /^[1-9]\d?$/.test(after) && headers.get('ratelimit-reset') === after && text.includes('rate_limited');
  return isRight
    ? []
    : [`a refusal says retry-after ${after}, ratelimit-reset ${headers.get('ratelimit-reset')}: ${text}`];
}

function judge(
  name: string,
  { admitted, refused, faults }: Pressed,
  { most, window_ms }: typeof perMinute,
  log: ProofRun['log'],
): string[] {
  const fullest = mostWithin(admitted, window_ms);
  log(`${name}: ${admitted.length} admitted, ${refused} refused, at most ${fullest} within ${window_ms} ms`);
  if (fullest > most) return [...faults, `${fullest} ${name} were admitted within ${window_ms} ms`];
  return faults;
}

/** The most that certainly were admitted within one interval of this length, wherever it begins. */
function mostWithin(admitted: readonly Admitted[], window_ms: number): number {
  const counts = admitted.map(
    ({ start }) => admitted.filter((one) => one.start >= start && one.end < start + window_ms).length,
  );
  return Math.max(0, ...counts);
}
