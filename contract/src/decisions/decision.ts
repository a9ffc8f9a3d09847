/** A point that the contract leaves open, what this implementation does there, and why this and not another thing. */
export interface Decision {
  /** The contract's own words where it says "not shown"; else the point in words of ours. */
  readonly open: string;
  readonly chosen: string;
  readonly because: string;
}
