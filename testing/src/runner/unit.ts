/** One Node process of a run: a test file, or a section of the proofs. */
export interface Unit {
  name: string;
  /** The arguments of node behind the flags of the test runner. */
  args: string[];
  /** Ends the process with everything that it started. It catches what no limit of a test can, such as a spin. */
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

export interface UnitResult {
  name: string;
  passed: number;
  /** Tests that were skipped or are still to do. */
  skipped: number;
  failures: Failure[];
  seconds: number;
  /** What the process wrote beside its tests' results. */
  output: string;
}
