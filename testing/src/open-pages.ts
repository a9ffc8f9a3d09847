import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Needs Chromium: the one named by CHROMIUM, or the system's. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

export interface OpenedPage {
  context: BrowserContext;
  page: Page;
  /** Faults of the page: errors of scripts, blocked content, requests that left the service. */
  troubles: string[];
}

export interface Pages {
  open(options?: BrowserContextOptions): Promise<OpenedPage>;
  close(): Promise<void>;
}

/** Opens pages of a service in Chromium, each with cookies of its own, as another person's browser has them. */
export async function openPages({ url }: { url: string }): Promise<Pages> {
  const browser: Browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  return {
    async open(options) {
      const context = await browser.newContext({ locale: 'en', ...options });
      const page = await context.newPage();
      const troubles: string[] = [];
      page.on('pageerror', (error) => troubles.push(error.message));
      page.on('console', (message) => {
        // A refusal that the page expects, such as 401 before the sign-in, is no trouble.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
          troubles.push(message.text());
        }
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(`${url}/`)) troubles.push(`left the service: ${request.url()}`);
      });
      return { context, page, troubles };
    },
    close: () => browser.close(),
  };
}
