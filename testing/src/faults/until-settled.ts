import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { callOperator } from '../operator.ts';
import type { FaultEnvironment } from './fault-environment.ts';

export const unknownOutcomeSeconds = 900;

/**
 * Waits until all sends are dispatched and all reports of the platform are processed. Then moves the clock over the
 * reconcile window, for sends without a report.
 */
export async function untilSettled(environment: FaultEnvironment, url: string): Promise<void> {
  const { simulator } = environment;
  // Jobs are read before and after `pending`: a report that arrives in between has a job in the second reading.
  const read = async (): Promise<Reading> => ({
    before: await openJobs(environment),
    pending: simulator.pending(),
    jobs: await openJobs(environment),
  });
  let fewest = Number.POSITIVE_INFINITY;
  // After many crashes the backlog may be large. It must shrink within each wait.
  const comesOn = (state: Reading) => {
    const open = Object.entries(state.jobs).reduce((sum, [kind, n]) => (windowed.includes(kind) ? sum : sum + n), 0);
    const isLess = open < fewest;
    fewest = Math.min(open, fewest);
    return isLess || isQuiet(state);
  };
  while (!isQuiet(await eventually(read, comesOn, 120_000))) await pause(50);
  simulator.advance((unknownOutcomeSeconds + 1) * 1000);
  await callOperator(url, 'POST', '/clock', { advance_seconds: unknownOutcomeSeconds + 1 });
  await eventually(
    () => openJobs(environment),
    (jobs) => Object.keys(jobs).length === 0,
  );
}

/** The number of open jobs by kind, without recurring jobs. */
export async function openJobs({ sql }: FaultEnvironment): Promise<OpenJobs> {
  // Those of the whole service have a group by their kind: see `beginRepeating`.
  const rows = await sql<{ kind: string; count: number }>(
    `select kind, count(*)::int from jobs
     where group_id <> md5(kind)::uuid and kind <> all ($1) group by kind`,
    [recurringOfChannels],
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

type OpenJobs = Record<string, number>;

const recurringOfChannels = ['channels.refresh_channel', 'templates.sync_templates'];

interface Reading {
  before: OpenJobs;
  /** The reports that the platform has not delivered yet. */
  pending: number;
  jobs: OpenJobs;
}

/** True when only jobs for the end of the reconcile window are left. */
function isQuiet({ before, pending, jobs }: Reading): boolean {
  const waiting = Object.keys({ ...before, ...jobs }).filter((kind) => !windowed.includes(kind));
  return waiting.length === 0 && pending === 0;
}

const windowed = [
  'messages.expire_unknown_outcome',
  'messages.link_quote',
  'inbound.retry_status',
  'broadcasts.send_batch',
];
