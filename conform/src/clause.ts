import type { Session } from './session.ts';

/** One sentence of the contract, with its check. */
export interface Clause {
  /** Unique, `area.name`. */
  id: string;
  /** The contract's own words, in short. */
  text: string;
  /** Returns if the clause holds; otherwise throws `Broken` or `NotChecked`. */
  check(session: Session): Promise<void> | void;
}

export interface Area {
  name: string;
  clauses: readonly Clause[];
}

type ClauseEntry = readonly [name: string, text: string, check: Clause['check']];

export function defineArea(name: string, rows: readonly ClauseEntry[]): Area {
  return { name, clauses: rows.map(([clause, text, check]) => ({ id: `${name}.${clause}`, text, check })) };
}
