import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { OpenedPage, Pages } from './open-pages.ts';
import { type Member, password } from './people.ts';

type StorageState = Awaited<ReturnType<OpenedPage['context']['storageState']>>;
const sessions = new Map<string, Promise<StorageState>>();

/** Opens a browser of its own in which the person is signed in, at a path of the console. `script` runs before each page. */
export async function openSignedIn(
  pages: Pages,
  { url, member, path, script }: { url: string; member: Pick<Member, 'email'>; path: string; script?: string },
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const storageState = await signedIn(pages, url, member);
  const opened = await pages.open({ viewport: { width: 1280, height: 800 }, ...options, storageState });
  const { context, page } = opened;
  if (script !== undefined) await context.addInitScript(script);
  await page.goto(`${url}${path}`);
  await page.locator('h1').first().waitFor();
  return opened;
}

/** The cookies of the person. They sign in once, because sign-ins of an account are limited. */
export function signedIn(pages: Pages, url: string, { email }: Pick<Member, 'email'>): Promise<StorageState> {
  const known = sessions.get(email);
  if (known) return known;
  const session = signIn(pages, url, email);
  sessions.set(email, session);
  return session;
}

/** Fills in the form that the page shows, as at the end of a session. */
export async function signInByForm(page: Page, { email }: Pick<Member, 'email'>): Promise<void> {
  const field = page.locator('input[type=password]');
  await field.waitFor();
  await page.locator('input[type=email]').fill(email);
  await field.fill(password);
  await field.press('Enter');
}

async function signIn(pages: Pages, url: string, email: string): Promise<StorageState> {
  const { context } = await pages.open();
  const answer = await context.request.post(`${url}/console/v1/sign-in`, { data: { email, password } });
  assert.equal(answer.status(), 200, await answer.text());
  const state = await context.storageState();
  await context.close();
  return state;
}
