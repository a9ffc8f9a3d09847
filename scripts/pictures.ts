// Takes a picture of every screen of the console: English and Arabic, light and dark, desk and phone. The pictures are for
// people's eyes and go to a folder that git ignores. `npm run pictures -- inbox sign-in` takes these screens alone.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { endProcesses } from '@majlis/testing/start-process';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import { type Demo, openDemo } from './pictures/demo.ts';
import { type Screen, screens } from './pictures/screens.ts';

const folder = path.join(import.meta.dirname, '../pictures');
const sizes = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const chosen = process.argv.slice(2);

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const demo = await openDemo(browser);
  for (const screen of screens) {
    if (chosen.length > 0 && !chosen.includes(screen.name)) continue;
    for (const locale of ['en', 'ar']) {
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const [size, viewport] of Object.entries(sizes)) {
          const options = { locale, colorScheme, viewport, reducedMotion: 'reduce' as const };
          await take(demo, screen, options, `${screen.name}-${locale}-${colorScheme}-${size}.png`);
        }
      }
    }
  }
} finally {
  await browser.close();
  await endProcesses();
}

async function take(demo: Demo, screen: Screen, options: BrowserContextOptions, file: string): Promise<void> {
  const storageState = screen.isSignedOut ? undefined : demo.signedIn;
  const context = await browser.newContext({ ...options, ...(storageState && { storageState }) });
  const page = await context.newPage();
  await screen.prepare?.(page, demo);
  await page.goto(`${demo.url}${screen.path(demo)}`);
  await page.evaluate('document.fonts.ready');
  if (!screen.isWaiting) await page.locator('[class*=spinner]').waitFor({ state: 'detached' });
  await screen.act?.(page, demo);
  await page.screenshot({ path: path.join(folder, file), animations: 'disabled' });
  await context.close();
}
