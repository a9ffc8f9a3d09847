import { codeOf } from './pressed-key.ts';
import { forgetKey, isStrayKey } from './stray-keys.ts';

const pressable = 'button, a[href], [role=button]';

interface Press {
  element: Element | null;
  meaning: string;
}

let pressed: Press | undefined;

/**
 * Keeps the second press of a double press from a button that the first one has brought, or has given another meaning, as
 * "Reopen" that becomes "Close".
 */
export function ignoreStrayPresses(): void {
  addEventListener('mousedown', recordPress, true);
  addEventListener('click', stopStrayClick, true);
  addEventListener('keydown', stopStrayEnter, true);
}

function recordPress(event: MouseEvent): void {
  forgetKey();
  // The browser counts the presses at one place, in the time that the person has set.
  if (event.detail <= 1) pressed = pressOf(event.target);
}

function stopStrayClick(event: MouseEvent): void {
  if (event.detail <= 1 || !pressed?.element) return;
  const { element, meaning } = pressOf(event.target);
  if (element && (element !== pressed.element || meaning !== pressed.meaning)) stop(event);
}

function stopStrayEnter(event: KeyboardEvent): void {
  const { target } = event;
  const isPress = ['Enter', 'Space'].includes(codeOf(event)) && target instanceof HTMLButtonElement;
  if (isPress && isStrayKey(event, pressOf(target).meaning, target)) stop(event);
}

function pressOf(target: EventTarget | null): Press {
  const element = target instanceof Element ? target.closest(pressable) : null;
  // The text of a link, as of a row, changes by events.
  const isButton = element?.matches('button, [role=button]');
  return { element, meaning: isButton ? (element!.getAttribute('aria-label') ?? element!.textContent) : '' };
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
