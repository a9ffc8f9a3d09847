import { codeOf } from './pressed-key.ts';

/** The usual time of a double press, as of systems that do not tell theirs. */
const doublePressMs = 500;

/** What the last key was pressed for: a command, or a button and its words. */
let last: { key: string; at: number; meaning: string; button: EventTarget | undefined } | undefined;

/** Whether a key is the second press of a double press, whose first one ran another command. */
export function isStrayKey(event: KeyboardEvent, meaning: string, button?: EventTarget): boolean {
  const key = [codeOf(event), event.shiftKey, event.ctrlKey, event.metaKey].join();
  const at = event.timeStamp;
  // Another button that has the focus now may be what a fast person wants to press.
  const isAgain = last?.key === key && last.button === button && at - last.at < doublePressMs;
  if (isAgain && last!.meaning !== meaning) return true;
  last = { key, at, meaning, button };
  return false;
}

/** Something else was pressed since. */
export function forgetKey(): void {
  last = undefined;
}
