import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService } from '@majlis/testing/start-test-service';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Needs Chromium: the one named by CHROMIUM, or the system's. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

describe('the reference at /docs', () => {
  let browser: Browser;
  let page: Page;
  const troubles: string[] = [];
  const asked: string[] = [];

  before(async () => {
    const { url } = await startTestService({ env: { PUBLIC_URL: 'https://chat.acme.example' } });
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    page = await browser.newPage();
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
    page.on('request', (request) => {
      asked.push(new URL(request.url()).pathname);
      if (!request.url().startsWith(`${url}/`)) troubles.push(`left the origin: ${request.url()}`);
    });
    await page.goto(`${url}/docs`);
  });
  after(() => browser.close());

  it('shows the contract under its own name', async () => {
    await page.getByRole('heading', { name: 'Majlis', exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Idempotency', exact: true }).first().waitFor();
    assert.equal(await page.title(), 'Majlis API');
  });

  it('shows the address that the outside world uses', async () => {
    await page.getByText('https://chat.acme.example').first().waitFor();
  });

  it('offers nothing of anybody else', async () => {
    const text = await page.locator('body').innerText();
    for (const offer of ['Ask AI', 'Generate MCP', 'Share', 'Deploy', 'Developer Tools', 'Open API Client']) {
      assert.ok(!text.includes(offer), offer);
    }
  });

  it('opens an operation, and the form to try it', async () => {
    await page.goto(`${page.url().split('#')[0]}#tag/messages/POST/v1/messages`);
    await page.getByText('window_closed').first().waitFor();
    await page.getByRole('button', { name: /Test Request.*post \/v1\/messages\)/ }).click();
    await page
      .getByRole('button', { name: 'Send post request to https://chat.acme.example/v1/messages' })
      .first()
      .waitFor();
  });

  it('has thrown nothing and asked nobody else', () => {
    assert.ok(asked.includes('/openapi.json'));
    assert.deepEqual(troubles, []);
  });
});
