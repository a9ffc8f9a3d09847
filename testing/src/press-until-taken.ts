import type { Page } from 'playwright-core';
import { eventually } from './eventually.ts';

/** A command comes with its component: a key that is pressed before it does nothing. A second one after it would act twice. */
export async function pressUntilTaken(page: Page, key: string): Promise<void> {
  await page.evaluate(`globalThis.isTaken = false;
    addEventListener('keydown', (event) => { isTaken ||= event.defaultPrevented; })`);
  await eventually(
    async () => {
      await page.evaluate('document.activeElement?.blur()');
      await page.keyboard.press(key);
      return page.evaluate('isTaken');
    },
    (isTaken) => isTaken === true,
  );
}
