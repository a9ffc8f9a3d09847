/** How a section is to be run. */
export interface ProofRun {
  seed: number;
  /** Kills, keys, requests: what the section counts. */
  count: number;
  /** Some seconds, instead of the figures that are published. */
  quick: boolean;
  /** Prints a figure of this run. */
  log(text: string): void;
}

/** One promise: `run` answers what it found against it, in words, and shows it by a size of its own. */
export interface ProofSection {
  run(how: ProofRun): Promise<string[]>;
  quick: number;
  full: number;
}
