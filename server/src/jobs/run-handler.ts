import type { Logger } from 'pino';
import { isDatabaseAway } from '../database/is-database-away.ts';
import type { Pool } from '../database/pool.ts';
import type { Clock } from '../process/clock.ts';
import type { Metrics } from '../process/metrics.ts';
import { backoffMs } from './backoff.ts';
import { type Claimed, claim, findOldestReady } from './claim-jobs.ts';
import type { Job, JobHandler, JobOutcome } from './job.ts';
import { releaseLost } from './leases.ts';
import { lowWatermark } from './low-watermark.ts';
import type { Retry } from './queries.ts';
import { stage } from './stage-jobs.ts';

interface RunHandler {
  handler: JobHandler;
  worker_id: number;
  lease_seconds: number;
  pool: Pool;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  finishJob: (job: Job) => Promise<unknown>;
  retryJob: (retry: Retry) => Promise<unknown>;
}

// A busy worker waits this long after its last claim, so that more jobs gather. With 64 customers writing at once, an inbound message costs
// 0.40 ms of processor time, PostgreSQL's included, and 0.48 ms with claims 5 ms apart.
const gatherMs = 10;
// The index entries of deleted queue checks stay until the next vacuum. A million of them cost a claim 100 ms, so claims read recent
// checks. Older ones, of long transactions, wait for a claim that reads all.
const recentChecksSeconds = 10;
const allChecksEveryMs = 5_000;
// Beyond this many tenants the rings of their groups start again.
const maxLastGroups = 1_000;

/** Claims and runs jobs of one kind while slots are free, one claim at a time. */
export function runHandler(options: RunHandler) {
  const { handler, worker_id, lease_seconds, pool, clock, log } = options;
  const starts = handler.starts_at_claim ?? false;
  const running = new Map<Job, Promise<void>>();
  const byGroup = new Map<string, number>();
  let claiming = false;
  let claimedAt = 0;
  let lostClaim = false;
  const fromWatermark = lowWatermark(async () => (await findOldestReady(pool, handler.kind)) ?? clock.now());
  let allChecksAt = 0;
  let wanted = false;
  let stopped = false;
  let lastGroup: string | undefined;
  const lastGroups = new Map<string, string>();
  let gathering: NodeJS.Timeout | undefined;
  let lastClaim: Promise<void> | undefined;

  /** Claims jobs now, or as soon as a slot is free. */
  function poke(): void {
    wanted = true;
    const slots = handler.concurrency - running.size;
    if (claiming || stopped || slots === 0 || gathering) return;
    const wait_ms = claimedAt + gatherMs - performance.now();
    if (running.size > 0 && wait_ms > 0) {
      gathering = setTimeout(() => {
        gathering = undefined;
        lastClaim = claimNow();
      }, wait_ms);
    } else lastClaim = claimNow();
  }

  async function claimNow(): Promise<void> {
    if (claiming || stopped) return;
    claiming = true;
    wanted = false;
    try {
      if (lostClaim) {
        const ids = [...running.keys()].map((job) => job.id);
        await releaseLost(pool, { kind: handler.kind, worker_id, running: ids, starts });
      }
      lostClaim = false;
      await claimAndStage();
    } catch (error) {
      // Logged once per outage of the database.
      if (!lostClaim) log.warn({ err: error, kind: handler.kind }, 'jobs cannot be claimed; each poll tries again');
      lostClaim = true;
    }
    claiming = false;
    claimedAt = performance.now();
    if (wanted) poke();
  }

  /** Claims again at once if staging made jobs ready. */
  async function claimAndStage(): Promise<void> {
    const slots = handler.concurrency - running.size;
    const checks_within_seconds = performance.now() < allChecksAt ? recentChecksSeconds : undefined;
    const { jobs, staging } = await fromWatermark((since) => claimSince(since, slots, checks_within_seconds));
    if (!checks_within_seconds && !staging.has_checks) allChecksAt = performance.now() + allChecksEveryMs;
    continueRing(jobs);
    for (const job of jobs) begin(job);
    const moved = await stage(pool, handler.kind, clock.now(), staging);
    if (jobs.length === slots) wanted = true;
    else if (moved > 0 && !stopped) await claimAndStage();
  }

  function claimSince(since: Date, slots: number, checks_within_seconds: number | undefined): Promise<Claimed> {
    return claim(pool, {
      kind: handler.kind,
      now: clock.now(),
      slots,
      group_concurrency: handler.group_concurrency,
      under_way: placesTaken(),
      after_group: lastGroup,
      tenants: handler.tenantPlaces && { ...handler.tenantPlaces(), after_groups: Object.fromEntries(lastGroups) },
      worker_id,
      lease_seconds: Math.max(lease_seconds, handler.lease_seconds ?? 0),
      starts,
      since,
      checks_within_seconds,
    });
  }

  /** The places in use by group. The missing places of a narrowed group count as taken. */
  function placesTaken(): Record<string, number> {
    const taken = Object.fromEntries(byGroup);
    for (const [group_id, places] of handler.narrowed?.() ?? []) {
      taken[group_id] = (taken[group_id] ?? 0) + handler.group_concurrency - places;
    }
    return taken;
  }

  /** The next claim begins behind the groups of this one. */
  function continueRing(jobs: readonly Job[]): void {
    if (jobs.length === 0) return;
    lastGroup = lastInRing(
      jobs.map(({ tenant_id, group_id }) => tenant_id ?? group_id),
      lastGroup,
    );
    if (!handler.tenantPlaces) return;
    if (lastGroups.size > maxLastGroups) lastGroups.clear();
    for (const [tenant_id, ofTenant] of Map.groupBy(jobs, (job) => job.tenant_id!)) {
      const groups = ofTenant.map(({ group_id }) => group_id);
      lastGroups.set(tenant_id, lastInRing(groups, lastGroups.get(tenant_id)));
    }
  }

  function begin(job: Job): void {
    byGroup.set(job.group_id, (byGroup.get(job.group_id) ?? 0) + 1);
    running.set(
      job,
      runOnce(job, options).then(() => {
        running.delete(job);
        const left = byGroup.get(job.group_id)! - 1;
        if (left === 0) byGroup.delete(job.group_id);
        else byGroup.set(job.group_id, left);
        poke();
      }),
    );
  }

  return {
    poke,
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(gathering);
      // This process holds the jobs of a claim under way, so it runs them too.
      await lastClaim;
      await Promise.all(running.values());
    },
  };
}

/** The last of these ids in the order that begins behind `after` and wraps around. */
function lastInRing(ids: readonly string[], after: string | undefined): string {
  const wrapped = after === undefined ? [] : ids.filter((id) => id <= after);
  return (wrapped.length > 0 ? wrapped : ids).reduce((last, id) => (id > last ? id : last));
}

async function runOnce(job: Job, options: RunHandler): Promise<void> {
  const { handler, log, metrics } = options;
  try {
    const outcome = await callHandler(job, options);
    if (outcome.type === 'done') await options.finishJob(job);
    if (outcome.type === 'retry') {
      await options.retryJob({ job, run_at: outcome.run_at, failed: true, payload: outcome.payload });
    }
    if (outcome.type === 'threw') {
      const run_at = new Date(options.clock.nowMs() + backoffMs(job.failures));
      await options.retryJob({ job, run_at, failed: true, interrupted: true });
    }
    metrics.jobs.inc({ kind: handler.kind, outcome: outcome.type });
  } catch (error) {
    // The lease ends and another claim finds the job.
    log.warn({ err: error, kind: handler.kind, job_id: job.id }, 'the outcome of a job could not be recorded');
  }
}

async function callHandler(job: Job, { handler, log }: RunHandler): Promise<JobOutcome | { type: 'threw' }> {
  try {
    return await handler.run(job);
  } catch (error) {
    const level = isDatabaseAway(error) ? 'warn' : 'error';
    log[level]({ err: error, kind: handler.kind, job_id: job.id, attempts: job.attempts }, 'a job failed');
    return { type: 'threw' };
  }
}
