import type { Session } from './session.ts';

/** One sentence of the contract, and how to see whether it holds. */
export interface Clause {
  /** Unique, `area.what`. */
  id: string;
  /** The contract's own words, in short. */
  text: string;
  /** Returns where the clause holds; throws `Broken` or `NotChecked` otherwise. */
  check(session: Session): Promise<void> | void;
}

export interface Area {
  name: string;
  clauses: readonly Clause[];
}

type ClauseRow = readonly [name: string, text: string, check: Clause['check']];

export function defineArea(name: string, rows: readonly ClauseRow[]): Area {
  return { name, clauses: rows.map(([clause, text, check]) => ({ id: `${name}.${clause}`, text, check })) };
}
