import { UnreadableSource } from './unreadable-source.ts';

// Above any real document. The parsers take quadratic time for the depth.
const maxDepth = 1_000;

/** Counts the elements inside each other; `open` throws UnreadableSource where they are too many. */
export function countDepth(): { open(): void; close(): void } {
  let depth = 0;
  return {
    open() {
      if (++depth > maxDepth) throw new UnreadableSource(`it has more than ${maxDepth} elements inside each other`);
    },
    close() {
      depth--;
    },
  };
}
