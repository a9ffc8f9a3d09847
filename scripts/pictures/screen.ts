import type { Page } from 'playwright-core';
import type { Demo } from './demo.ts';

export interface Screen {
  name: string;
  path: (demo: Demo) => string;
  isSignedOut?: true;
  /** The picture is taken at 360 and 1920 px too. */
  isAtAllSizes?: true;
  /** The picture shows the page while it waits. */
  isWaiting?: true;
  /** Before the page is opened: answers that the demo would not give. */
  prepare?: (page: Page, demo: Demo) => Promise<unknown>;
  /** After the page is shown. */
  act?: (page: Page, demo: Demo) => Promise<unknown>;
}
