import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { callOperator } from '../operator.ts';
import type { FaultEnvironment } from './fault-environment.ts';

export const unknownOutcomeSeconds = 900;

/**
 * Waits until all that was under way has come to its end: sends are dispatched, the platform has reported everything
 * and is believed. Then the reconcile window passes, for those of which it reported nothing.
 */
export async function untilSettled(environment: FaultEnvironment, url: string): Promise<void> {
  const { simulator } = environment;
  // Without jobs nothing new begins; once nothing is pending then, every report is stored with its job.
  const read = async (): Promise<Reading> => ({
    before: await openJobs(environment),
    pending: simulator.pending(),
    jobs: await openJobs(environment),
  });
  let fewest = Number.POSITIVE_INFINITY;
  // However much waits after many deaths: it has to become less.
  const comesOn = (state: Reading) => {
    const open = Object.entries(state.jobs).reduce((sum, [kind, n]) => (windowed.includes(kind) ? sum : sum + n), 0);
    const isLess = open < fewest;
    fewest = Math.min(open, fewest);
    return isLess || isQuiet(state);
  };
  while (!isQuiet(await eventually(read, comesOn, 45_000))) await pause(50);
  simulator.advance((unknownOutcomeSeconds + 1) * 1000);
  await callOperator(url, 'POST', '/clock', { advance_seconds: unknownOutcomeSeconds + 1 });
  await eventually(
    () => openJobs(environment),
    (jobs) => Object.keys(jobs).length === 0,
    20_000,
  );
}

/** Jobs that come to an end, by kind; those that come again for ever are left out. */
export async function openJobs({ sql }: FaultEnvironment): Promise<OpenJobs> {
  const rows = await sql<{ kind: string; count: number }>(
    `select kind, count(*)::int from jobs
     where kind <> all ($1) group by kind`,
    [recurring],
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

type OpenJobs = Record<string, number>;

const recurring = [
  'channels.refresh_channel',
  'templates.sync_templates',
  'media.sweep_media',
  'http.forget_keys',
  'webhook_endpoints.forget_old',
  'ai.embed_missing',
  'search.settle_terms',
];

interface Reading {
  before: OpenJobs;
  /** What the platform has still to report. */
  pending: number;
  jobs: OpenJobs;
}

/** Only those wait that wait for the end of the reconcile window. */
function isQuiet({ before, pending, jobs }: Reading): boolean {
  const waiting = Object.keys({ ...before, ...jobs }).filter((kind) => !windowed.includes(kind));
  return waiting.length === 0 && pending === 0;
}

const windowed = ['messages.expire_unknown_outcome', 'inbound.retry_status', 'broadcasts.send_batch'];
