import type { ClockEnvironment } from './clock-environment.ts';
import type { ClockWorkspace } from './clock-workspace.ts';

/** What a rule is shown in: the service and its surroundings, and the workspace of its group. */
export type RuleContext = ClockEnvironment & ClockWorkspace;

/** Rules that are about one thing and share a workspace. */
export interface RuleGroup {
  /** What their workspace has besides a number, a template and a key; `channel`: what its number has besides. */
  file?: Record<string, unknown> & { channel?: object };
  rules?: readonly Rule[];
  age_rules?: readonly AgeRule[];
  schedules?: readonly Schedule[];
  sweeps?: readonly Sweep[];
}

/** A rule with one edge: where it lies, and what must be seen before, on and after it. */
export interface Rule {
  name: string;
  /** Sets the scene now; answers the edge and what is to be looked at. */
  open(context: RuleContext): Promise<{ edge_ms: number; observe(): Promise<unknown> }>;
  /** The expected value before the edge: false by default. */
  before?: unknown;
  /** The expected value from the edge on: true by default. */
  after?: unknown;
  /** It comes by itself, done by a worker: before the edge there is waited for what must not come. */
  comes?: boolean;
}

/** A rule that asks how old a thing is at the moment at which something else happens, so that one moment is its proof. */
export interface AgeRule {
  name: string;
  age_ms: number;
  open(context: RuleContext): Promise<{
    /** Makes one thing now; answers what it is known by. */
    make(): Promise<string>;
    /** Brings what asks for the age about, at this moment, and whatever shows the answer later. */
    meet(edge_ms: number): Promise<void>;
    observe(thing: string): Promise<unknown>;
  }>;
  /** Of things that are a millisecond younger, of this very age, and a millisecond older. */
  expected: readonly [younger: unknown, exact: unknown, older: unknown];
}

/** Tries that follow each other, each so long after the one before. */
export interface Schedule {
  name: string;
  delays_ms: readonly number[];
  /** By how much a try may come later; never sooner. */
  spread_ms(delay_ms: number): number;
  /** Nothing follows the last try. */
  ends?: boolean;
  /** Begins it; answers how many tries were made so far. */
  open(context: RuleContext): Promise<{
    made(): number | Promise<number>;
    /** A millisecond before each try, and before the one that must not come. */
    prepare?(): Promise<unknown>;
  }>;
}

/** Work that comes again and again, and takes away what is older than it keeps. */
export interface Sweep {
  name: string;
  /** Of its job. */
  kind: string;
  every_ms: number;
  /** A multiple of the above. */
  keeps_ms: number;
  open(context: RuleContext): Promise<{
    make(): Promise<string>;
    /** Of each place where it is kept. */
    isThere(thing: string): Promise<boolean[]>;
  }>;
}

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
