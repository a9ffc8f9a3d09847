/** A fault to plant: one change of a file that breaks a promise. */
export interface Fault {
  file: string;
  /** Occurs once in the file. */
  find: string;
  replace: string;
  /** The promise that it breaks, in words. */
  breaks: string;
  /** The tests that should notice, likeliest first. */
  tests: readonly string[];
}

/** The faults of one file: for each the text, its replacement, what it breaks, and its tests where they are others. */
export function faultsIn(
  file: string,
  tests: readonly string[],
  faults: readonly (readonly [find: string, replace: string, breaks: string, tests?: readonly string[]])[],
): Fault[] {
  return faults.map(([find, replace, breaks, own]) => ({ file, find, replace, breaks, tests: own ?? tests }));
}
