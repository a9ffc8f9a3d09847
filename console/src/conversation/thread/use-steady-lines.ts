import { type RefObject, useLayoutEffect } from 'react';

/** A line above what a person reads, whose height changes, moves nothing. The virtual list does the same for its lines. */
export function useSteadyLines(
  scroller: RefObject<HTMLElement | null>,
  tail: RefObject<HTMLElement | null>,
  isWhole: boolean,
): void {
  useLayoutEffect(() => {
    if (!isWhole) return;
    const heights = new WeakMap<Element, number>();
    const observer = new ResizeObserver((entries) => {
      for (const { target, borderBoxSize } of entries) {
        const height = borderBoxSize[0]!.blockSize;
        const grown = height - (heights.get(target) ?? height);
        heights.set(target, height);
        // A line that is gone has no height.
        if (!target.isConnected) observer.unobserve(target);
        if (grown === 0 || !target.isConnected) continue;
        const frame = scroller.current!;
        const { bottom } = target.getBoundingClientRect();
        if (bottom - grown <= frame.getBoundingClientRect().top) frame.scrollTop += grown;
      }
    });
    const follow = (lines: Iterable<Node>) => {
      for (const line of lines) if (line instanceof Element) observer.observe(line);
    };
    follow(tail.current!.children);
    const added = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) follow(addedNodes);
    });
    added.observe(tail.current!, { childList: true });
    return () => {
      observer.disconnect();
      added.disconnect();
    };
  }, [scroller, tail, isWhole]);
}
