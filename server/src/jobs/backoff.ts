/** 1, 2, 4 … 300 seconds, with up to a fifth added so that what failed together does not return together. */
export function backoffMs(failures: number): number {
  return Math.min(2 ** failures, 300) * 1000 * (1 + Math.random() / 5);
}
