/** The options of a section's run. */
export interface ProofRun {
  seed: number;
  /** Kills, keys, requests: what the section counts. */
  count: number;
  /** A short run, instead of the published size. */
  quick: boolean;
  /** Prints a figure of this run. */
  log(text: string): void;
}

/** One promise. `run` answers the violations; `quick` and `full` are its sizes. */
export interface ProofSection {
  run(how: ProofRun): Promise<string[]>;
  quick: number;
  full: number;
}
