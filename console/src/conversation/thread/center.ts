/** Puts a line in the middle of what scrolls. Unlike `scrollIntoView`, it moves nothing around it. */
export function center(scroller: Element, line: Element): void {
  const [box, frame] = [line.getBoundingClientRect(), scroller.getBoundingClientRect()];
  scroller.scrollTop += box.top + box.height / 2 - frame.top - frame.height / 2;
}
