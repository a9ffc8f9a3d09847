/** One Node process of a run: some test files, or a section of the proofs. */
export interface Unit {
  /** What is told of the process by itself: its files, or the section. Each has a result. */
  names: string[];
  /** The arguments of node behind the flags of the test runner. */
  args: string[];
  /** Ends the process, with everything that it started, where one name takes longer. It catches a spin, as no limit of a test. */
  limit_ms: number;
  /** The limit of each test that states no other. */
  test_limit_ms: number;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

export interface Failure {
  /** The names of the suites and of the test. */
  test: string;
  error: string;
}

/** Of one name. */
export interface UnitResult {
  name: string;
  passed: number;
  /** Tests that were skipped or are still to do. */
  skipped: number;
  failures: Failure[];
  seconds: number;
  /** What the process wrote last beside its tests' results. */
  output: string;
}
