import type { Repeats } from './retry.ts';

/** How a method of the client becomes a request. */
export interface MethodEntry {
  readonly method: string;
  readonly path: string;
  /** The argument behind the ids of the path. */
  readonly takes?: 'body' | 'query' | 'file';
  /** Absent: a JSON body, or none. */
  readonly gives?: 'page' | 'bytes';
  /** Absent: `always`. */
  readonly repeats?: Repeats;
}

export type MethodTable = Readonly<Record<string, Readonly<Record<string, MethodEntry>>>>;
