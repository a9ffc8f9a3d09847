/** A promise to act, committed together with its cause. */
export interface NewJob {
  /** `module.verb_noun` */
  kind: string;
  /** The owner of the work, such as a channel or an endpoint. Groups share the workers fairly, and each can be paused. */
  group_id: string;
  /** The workspace, for kinds whose groups share the places of their workspace. */
  tenant_id?: string | undefined;
  /** Jobs of one queue key, such as a conversation, run one after another, oldest first. */
  queue_key?: string | undefined;
  /** Text for the handler, usually JSON. */
  payload: string;
  run_at: Date;
}

export interface Job extends Omit<NewJob, 'queue_key'> {
  id: number;
  queue_key: string | null;
  /** The number of claims, which is the fencing token of the current one. */
  attempts: number;
  /** How often the handler asked for a retry or threw. */
  failures: number;
  /** The steps that are done, for jobs of several transactions (`run-steps.ts`). */
  steps_done: number;
  /** Set if an earlier run passed its point of no return and was interrupted. It must not simply be repeated. */
  started_at: Date | null;
}

/**
 * The outcome of a run. `finished` means that the handler deleted or rescheduled the job together with its effect. A handler
 * counts its own tries in a new `payload`: `failures` also counts the runs that an outage of the database broke off.
 */
export type JobOutcome = { type: 'done' } | { type: 'finished' } | { type: 'retry'; run_at: Date; payload?: string };

export interface TenantPlaces {
  /** How many more jobs each tenant with jobs under way may begin. */
  left: Readonly<Record<string, number>>;
  /** The same for every other tenant. */
  each: number;
}

export interface JobHandler {
  kind: string;
  /** Concurrent runs in this process. */
  concurrency: number;
  /** Concurrent runs of one group, so that a slow channel cannot take all places. */
  group_concurrency: number;
  /**
   * The claim is the point of no return. For idempotent work whose `started_at` only shows that an earlier run was interrupted.
   * It saves a statement per job.
   */
  starts_at_claim?: boolean;
  /** The minimal lease, for runs that take longer than others. */
  lease_seconds?: number;
  /** The places of tenants, for kinds whose jobs have one. */
  tenantPlaces?(): TenantPlaces;
  /** Groups with fewer places for now, and their number. */
  narrowed?(): Iterable<readonly [group_id: string, places: number]>;
  /**
   * Runs a job, at least once. An error is logged and the job runs again later, with `started_at` if it had passed its point of
   * no return.
   */
  run(job: Job): Promise<JobOutcome>;
}
