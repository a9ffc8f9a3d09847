import { settleFocus } from '../parts/settle-focus.ts';

interface Focused {
  element: Element;
  /** From the nearest one on, as they stood when it got the focus. */
  around: readonly Element[];
}

let focused: Focused | undefined;

/**
 * Leads the focus on where the element that has it is taken away: by what it did itself, or by a change of a colleague. The
 * browser would leave it to the page, and a screen reader would begin anew.
 */
export function keepFocus(): void {
  addEventListener('focusin', remember);
  addEventListener('focusout', forgetLeft);
  new MutationObserver(follow).observe(document.body, { childList: true, subtree: true });
}

function remember({ target }: Event): void {
  if (target instanceof Element) focused = { element: target, around: elementsAround(target) };
}

function elementsAround(element: Element): Element[] {
  const parent = element.parentElement;
  return parent ? [parent, ...elementsAround(parent)] : [];
}

/** A person who leaves the element for nothing else, as by a press on the page, wants no focus. Its removal is over by then. */
function forgetLeft({ target }: Event): void {
  queueMicrotask(() => {
    if (focused?.element === target && focused.element.isConnected) focused = undefined;
  });
}

function follow(changes: readonly MutationRecord[]): void {
  if (!focused || focused.element.isConnected) return;
  const places = [neighbourIn(changes, focused.element), ...focused.around.map(placeIn)];
  focused = undefined;
  settleFocus(() => {
    if (document.activeElement !== document.body) return true;
    const place = places.find((one) => one?.isConnected) ?? document.getElementById('content');
    if (place instanceof HTMLElement) place.focus({ preventScroll: true });
    return true;
  });
}

/** The element itself, or the line of a thread that Tab leads to. */
function placeIn(element: Element): Element | null {
  if (element.matches('[tabindex]')) return element;
  return element.matches('[role=feed]') ? element.querySelector('[tabindex="0"]') : null;
}

/** Of an item of a list, the next item, or else the one before it. */
function neighbourIn(changes: readonly MutationRecord[], element: Element): Element | undefined {
  const removal = changes.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(element)));
  return [removal?.nextSibling, removal?.previousSibling]
    .map((item) => (item instanceof HTMLLIElement ? item.querySelector('a[href], button') : undefined))
    .find((target) => target instanceof HTMLElement);
}
