import type { Page } from 'playwright-core';
import { eventually } from './eventually.ts';

/** The field in which a person searches the palette. */
export const searchOfPalette = '[role=dialog] input[type=search]';

/** Waits until the element that has the focus matches the selector. */
export async function untilFocused(page: Page, selector: string): Promise<void> {
  await eventually(
    () => page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`),
    (isThere) => isThere === true,
  );
}
