import type { Page } from 'playwright-core';
import { eventually } from './eventually.ts';

export interface HeldReadings {
  /** From here on, the page reads nothing. Resolves when the readings under way are answered: no later answer is newer. */
  hold(): Promise<void>;
  letGo(): void;
}

/** Lets a test hold what a page reads from the addresses that fit the pattern. */
export async function holdReadings(page: Page, pattern: string): Promise<HeldReadings> {
  let gate = Promise.resolve();
  let letGo = () => {};
  let underWay = 0;
  await page.route(pattern, async (route) => {
    await gate;
    underWay += 1;
    try {
      await route.continue();
      await (await route.request().response())?.finished();
    } catch {
      // The page has gone on, and its request with it.
    } finally {
      underWay -= 1;
    }
  });
  return {
    async hold() {
      ({ promise: gate, resolve: letGo } = Promise.withResolvers<void>());
      await eventually(
        () => underWay,
        (count) => count === 0,
      );
    },
    letGo: () => letGo(),
  };
}
