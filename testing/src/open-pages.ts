import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { cleanUp } from './cleanup.ts';
import { followPage } from './follow-page.ts';

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

export interface MortalPages extends Pages {
  /** Ends the browser as a cut of the power does: no page hears of it. */
  kill(): Promise<void>;
}

interface Subject {
  url: string;
}

/**
 * Opens pages of a service in Chromium, each with cookies of its own, as another person's browser has them. They are closed
 * after the test file or the test that opens them.
 */
export async function openPages({ url }: Subject, args: readonly string[] = []): Promise<Pages> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });
  cleanUp('the browser', () => browser.close());
  return pagesOf(browser, url);
}

/** The same in a browser that the test kills. */
export async function openMortalPages({ url }: Subject): Promise<MortalPages> {
  const server = await chromium.launchServer({ executablePath, args: ['--no-sandbox'] });
  cleanUp('the browser', () => server.kill());
  const browser = await chromium.connect(server.wsEndpoint());
  return { ...pagesOf(browser, url), kill: () => server.kill() };
}

function pagesOf(browser: Browser, url: string): Pages {
  return {
    async open(options) {
      const context = await browser.newContext({ locale: 'en', ...options });
      const page = await context.newPage();
      const troubles: string[] = [];
      const describe = followPage(page, troubles);
      cleanUp('a page', async (failure) => {
        if (failure !== undefined && !page.isClosed()) process.stdout.write(`${await describe()}\n`);
        if (browser.isConnected()) await context.close();
      });
      page.on('pageerror', (error) => troubles.push(error.message));
      page.on('console', (message) => {
        // A refusal that the page expects, such as 401 before the sign-in, is no trouble.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
          troubles.push(message.text());
        }
      });
      page.on('request', (request) => {
        // A blob is a file of the page itself.
        const address = request.url().replace(/^blob:/, '');
        if (!address.startsWith(`${url}/`)) troubles.push(`left the service: ${address}`);
      });
      return { context, page, troubles };
    },
    close: () => browser.close(),
  };
}
