// Takes a picture of every screen of the console: English and Arabic, light and dark, desk and phone. The pictures are for
// people's eyes and go to a folder that git ignores. `npm run pictures -- inbox ar phone` takes this screen alone, in Arabic,
// on a phone, light and dark.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { eventually } from '@majlis/testing/eventually';
import { endProcesses } from '@majlis/testing/start-process';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type Demo, openDemo } from './pictures/demo.ts';
import type { Screen } from './pictures/screen.ts';
import { screens } from './pictures/screens.ts';

const folder = path.join(import.meta.dirname, '../pictures');
const sizes = {
  desk: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  narrow: { width: 360, height: 740 },
  wide: { width: 1920, height: 1080 },
};
type Size = keyof typeof sizes;

const asked = process.argv.slice(2);
/** Those of the values that the command names, or all of them. */
function chosen<T extends string>(values: readonly T[]): readonly T[] {
  const named = values.filter((value) => asked.includes(value));
  return named.length > 0 ? named : values;
}
const names = chosen(screens.map(({ name }) => name));

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
});
try {
  const demo = await openDemo(browser);
  for (const locale of chosen(['en', 'ar'])) {
    for (const colorScheme of chosen(['light', 'dark'])) {
      for (const size of chosen(Object.keys(sizes) as Size[])) {
        await takeAll(browser, demo, { locale, colorScheme, size });
      }
    }
  }
} finally {
  await browser.close();
  await endProcesses();
}

interface Look {
  locale: string;
  colorScheme: 'light' | 'dark';
  size: Size;
}

/** The pages of one look share a context, so that the browser reads the console once. */
async function takeAll(on: Browser, demo: Demo, { locale, colorScheme, size }: Look): Promise<void> {
  const options = { locale, colorScheme, viewport: sizes[size], reducedMotion: 'reduce' as const };
  const contexts = [
    await on.newContext({ ...options, storageState: demo.signedIn, permissions: ['microphone'] }),
    await on.newContext(options),
  ] as const;
  for (const screen of screens) {
    const isExtra = size === 'narrow' || size === 'wide';
    if (!names.includes(screen.name) || (isExtra && !screen.isAtAllSizes)) continue;
    const file = `${screen.name}-${locale}-${colorScheme}-${size}.png`;
    try {
      await take(contexts[screen.isSignedOut ? 1 : 0], demo, screen, path.join(folder, file));
    } catch (error) {
      // The other screens are worth seeing all the same.
      process.stderr.write(`${file}: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    }
  }
  for (const context of contexts) await context.close();
}

async function take(context: BrowserContext, demo: Demo, screen: Screen, file: string): Promise<void> {
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  try {
    await screen.prepare?.(page, demo);
    await page.goto(`${demo.url}${screen.path(demo)}`);
    await page.evaluate('document.fonts.ready');
    if (!screen.isWaiting) await settle(page);
    await screen.act?.(page, demo);
    if (!screen.isWaiting) await settle(page);
    await page.screenshot({ path: file, animations: 'disabled' });
  } finally {
    await context.setOffline(false);
    await page.close();
  }
}

/** Waits until the page shows something, waits for nothing, and nothing of it changes any more. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1:visible, h2:visible').first().waitFor();
  await eventually(
    () => page.locator('[class*=spinner], [data-skeleton]').count(),
    (count) => count === 0,
  );
  await page.evaluate(`new Promise((resolve) => {
    const end = setTimeout(resolve, 5_000);
    let timer = setTimeout(resolve, 500);
    new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => { clearTimeout(end); resolve(); }, 500);
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  })`);
}
