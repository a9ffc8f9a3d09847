import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { before, describe, it } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { startTestService } from '@majlis/testing/start-test-service';
import { type Browser, chromium, type Page } from 'playwright-core';

interface Violation {
  id: string;
  nodes: { html: string }[];
}

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
    cleanUp('the browser', () => browser.close());
    page = await browser.newPage();
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
    page.on('request', (request) => {
      asked.push(new URL(request.url()).pathname);
      if (!request.url().startsWith(`${url}/`)) troubles.push(`left the origin: ${request.url()}`);
    });
    await page.goto(`${url}/docs`);
  });

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

  it('shows the labels of operations as badges, and finds an operation by the keyboard alone', async () => {
    await page.goto(`${page.url().split('#')[0]}#tag/messages/POST/v1/messages`);
    await page
      .locator('.badge', { hasText: /^Beta$/ })
      .first()
      .waitFor();
    await page.goto(`${page.url().split('#')[0]}#tag/extensions/GET/v1/events`);
    await page
      .locator('.badge', { hasText: /^Extension$/ })
      .first()
      .waitFor();
    await page.keyboard.press('Control+k');
    // Letters that come before the search has the focus are lost.
    await page.locator('[role=dialog] input:focus').waitFor();
    await page.keyboard.type('snooze');
    await page
      .getByRole('option', { name: /Snooze/i })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
  });

  it('passes axe, light and dark', async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await page.addScriptTag({ content: axe });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`.${colorScheme}-mode`).first().waitFor();
      // A colour on its way from one mode to the other is of neither.
      await eventually(
        () => page.evaluate('document.getAnimations().filter((one) => one instanceof CSSTransition).length'),
        (count) => count === 0,
      );
      const faults = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
        return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
      });
      assert.deepEqual(faults, [], colorScheme);
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
    assert.ok(asked.includes('/docs/openapi.json'));
    assert.deepEqual(troubles, []);
  });
});
