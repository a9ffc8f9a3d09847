/** 1, 2, 4 … 300 seconds, plus up to a fifth, so that jobs that failed together do not retry together. */
export function backoffMs(failures: number): number {
  return Math.min(2 ** failures, 300) * 1000 * (1 + Math.random() / 5);
}
