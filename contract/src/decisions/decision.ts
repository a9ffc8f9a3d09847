/** A point that the contract leaves open, the choice of this implementation, and the reason for it. */
export interface Decision {
  /** The contract's own words where it says "not shown", else a title of ours. */
  readonly open: string;
  readonly chosen: string;
  readonly because: string;
}
