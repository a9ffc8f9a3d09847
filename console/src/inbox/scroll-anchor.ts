import type { VirtualizerHandle } from 'virtua';

/**
 * How far the list must scroll so that what stands at its top stays there after a new order: the first row in sight that did not
 * move up itself. At the top of the list nothing is anchored, so new conversations come into sight.
 */
export function anchorOf(before: readonly string[], after: readonly string[], handle: VirtualizerHandle): number {
  if (before === after || handle.scrollOffset < handle.getItemSize(0) / 2) return 0;
  const places = new Map(after.map((id, index) => [id, index]));
  const first = handle.findItemIndex(handle.scrollOffset);
  const last = handle.findItemIndex(handle.scrollOffset + handle.viewportSize);
  for (let index = first; index <= last && index < before.length; index++) {
    const now = places.get(before[index]!);
    if (now !== undefined && now >= index) return (now - index) * handle.getItemSize(0);
  }
  return 0;
}
