import type { Page, Response } from 'playwright-core';
import { within } from './cleanup.ts';

const mostLines = 60;
const mostRequests = 12;

/** Follows a page from its start, so that a test that fails can tell what the page did and showed. */
export function followPage(page: Page, troubles: readonly string[]): () => Promise<string> {
  const open = new Set<string>();
  const answered: string[] = [];
  const tell = (method: string, address: string) => `${method} ${address.replace(/^https?:\/\/[^/]+/, '')}`;
  page.on('request', (request) => open.add(tell(request.method(), request.url())));
  page.on('requestfailed', (request) => answer(tell(request.method(), request.url()), request.failure()?.errorText));
  page.on('response', (response: Response) =>
    answer(tell(response.request().method(), response.url()), response.status()),
  );

  function answer(name: string, outcome: string | number | undefined): void {
    open.delete(name);
    answered.push(`${name}: ${outcome}`);
    if (answered.length > mostRequests) answered.shift();
  }

  return async () => {
    const content = page.locator('body').ariaSnapshot({ timeout: 3_000 });
    const shown = await within(content, 4_000, 'the content').catch((error: Error) => `nothing: ${error.message}`);
    return [
      `the page stood at ${page.url()}`,
      ...troubles.map((trouble) => `  trouble: ${trouble}`),
      ...answered.map((request) => `  answered: ${request}`),
      ...[...open].map((request) => `  without an answer: ${request}`),
      '  it showed:',
      ...shown
        .split('\n')
        .slice(0, mostLines)
        .map((line) => `    ${line}`),
    ].join('\n');
  };
}
