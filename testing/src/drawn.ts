import type { Page } from 'playwright-core';

/** Resolves when the page has drawn what it shows now: a frame begins after the one that is under way. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
