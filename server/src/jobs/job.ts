/** A promise to act, committed together with what it follows from. */
export interface NewJob {
  /** `module.verb_noun` */
  kind: string;
  /** Whose work this is: groups share the workers fairly, and one can be paused alone (a channel, an endpoint). */
  group_id: string;
  /** Jobs of one queue key run one after the other, oldest first (a conversation). */
  queue_key?: string | undefined;
  /** Text that the handler reads, JSON as a rule. */
  payload: string;
  run_at: Date;
}

export interface Job extends Omit<NewJob, 'queue_key'> {
  id: number;
  queue_key: string | null;
  /** Counts claims: the fencing token of this one. Who holds an older one holds nothing. */
  attempts: number;
  /** How often the handler asked for another try or threw. */
  failures: number;
  /** Set when an earlier run passed its point of no return and was cut off: it must not simply be repeated. */
  started_at: Date | null;
}

/** What became of a run. `finished`: the handler deleted the job together with its effect, or moved it on. */
export type JobOutcome = { type: 'done' } | { type: 'finished' } | { type: 'retry'; run_at: Date };

export interface JobHandler {
  kind: string;
  /** Runs at once in this process. */
  concurrency: number;
  /** Of these, runs of one group: what one slow channel can hold at most. */
  group_concurrency: number;
  /**
   * The claim is the point of no return: for work that may be done twice, where `started_at` is only to tell that an
   * earlier run broke off. It saves a statement for each job.
   */
  starts_at_claim?: boolean;
  /** How long a run may take beyond the usual: its lease is at least so long. */
  lease_seconds?: number;
  /** Groups that have fewer places for the time being, and how many. */
  narrowed?(): Iterable<readonly [group_id: string, places: number]>;
  /**
   * One run of one job; at least once. What it throws is logged, and the job runs again later, with `started_at` where
   * it had passed its point of no return.
   */
  run(job: Job): Promise<JobOutcome>;
}
