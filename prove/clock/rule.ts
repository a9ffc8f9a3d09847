import type { ClockEnvironment } from './clock-environment.ts';
import type { ClockWorkspace } from './clock-workspace.ts';

/** The environment of the clock with the workspace of the rule's group. */
export type RuleContext = ClockEnvironment & ClockWorkspace;

/** Rules about one subject, which share a workspace. */
export interface RuleGroup {
  /** More members of the workspace's file; `channel` holds more members of its number. */
  file?: Record<string, unknown> & { channel?: object };
  rules?: readonly Rule[];
  age_rules?: readonly AgeRule[];
  schedules?: readonly Schedule[];
  sweeps?: readonly Sweep[];
}

/** A rule with one edge in time and the values before it and from it on. */
export interface Rule {
  name: string;
  /** Prepares the rule; answers the edge and the observation. */
  open(context: RuleContext): Promise<{ edge_ms: number; observe(): Promise<unknown> }>;
  /** The expected value before the edge: false by default. */
  before?: unknown;
  /** The expected value from the edge on: true by default. */
  after?: unknown;
  /** A worker makes the change. Before the edge the proof waits for all due work. */
  comes?: boolean;
}

/** A rule about the age of a thing when something else happens. */
export interface AgeRule {
  name: string;
  age_ms: number;
  open(context: RuleContext): Promise<{
    /** Creates one thing now and answers its id. */
    make(): Promise<string>;
    /** Triggers the check of the age at this moment. */
    meet(edge_ms: number): Promise<void>;
    observe(thing: string): Promise<unknown>;
  }>;
  /** For things one millisecond younger, of this age, and one millisecond older. */
  expected: readonly [younger: unknown, exact: unknown, older: unknown];
}

/** Tries with a delay after the one before. */
export interface Schedule {
  name: string;
  delays_ms: readonly number[];
  /** The most that a try may be late; it is never early. */
  spread_ms(delay_ms: number): number;
  /** Nothing follows the last try. */
  ends?: boolean;
  /** Starts the schedule; `made` answers the number of tries so far. */
  open(context: RuleContext): Promise<{
    made(): number | Promise<number>;
    /** Runs one millisecond before each try. */
    prepare?(): Promise<unknown>;
  }>;
}

/** A recurring job that deletes things older than `keeps_ms`. */
export interface Sweep {
  name: string;
  /** The kind of its job. */
  kind: string;
  every_ms: number;
  /** A multiple of `every_ms`. */
  keeps_ms: number;
  open(context: RuleContext): Promise<{
    make(): Promise<string>;
    /** One answer for each place that stores the thing. */
    isThere(thing: string): Promise<boolean[]>;
  }>;
}

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
