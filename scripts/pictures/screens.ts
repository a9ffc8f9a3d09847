import type { Page } from 'playwright-core';
import type { Demo } from './demo.ts';

export interface Screen {
  name: string;
  path: (demo: Demo) => string;
  isSignedOut?: true;
  /** The picture shows the page while it waits. */
  isWaiting?: true;
  /** Before the page is opened: answers that the demo would not give. */
  prepare?: (page: Page, demo: Demo) => Promise<unknown>;
  /** After the page is shown. */
  act?: (page: Page, demo: Demo) => Promise<unknown>;
}

const inWorkspace = (place: string) => (demo: Demo) => `/w/${demo.workspace_id}/${place}`;
const conversations = '**/conversations*';

/** Presses a button by its place, because its words differ by language. */
const press = (selector: string) => (page: Page) => page.locator(selector).first().click();

export const screens: readonly Screen[] = [
  { name: 'sign-in', path: () => '/', isSignedOut: true },
  {
    name: 'sign-in-refused',
    path: () => '/',
    isSignedOut: true,
    async act(page) {
      await page.locator('[name=email]').fill('aisha@acme.example');
      await page.locator('[name=password]').fill('a wrong password');
      await page.locator('[type=submit]').click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'signed-out-elsewhere',
    path: inWorkspace('inbox'),
    async act(page) {
      await page.route('**/console/v1/**', (route) => route.fulfill({ status: 401, json: { code: 'signed_out' } }));
      await page.locator('a[href$=members]').evaluate((link: { click(): void }) => link.click());
      await page.locator('[name=email]').waitFor();
    },
  },
  { name: 'forgot', path: () => '/forgot', isSignedOut: true },
  { name: 'join', path: ({ join_path }) => join_path, isSignedOut: true },
  { name: 'link-invalid', path: () => '/join#nothing', isSignedOut: true },
  { name: 'inbox', path: inWorkspace('inbox') },
  {
    name: 'inbox-empty',
    path: inWorkspace('inbox'),
    prepare: (page) => page.route(conversations, (route) => route.fulfill({ json: { data: [] } })),
  },
  {
    name: 'inbox-loading',
    path: inWorkspace('inbox'),
    isWaiting: true,
    prepare: (page) => page.route(conversations, () => {}),
    act: (page) => page.locator('h1').waitFor(),
  },
  {
    name: 'inbox-failed',
    path: inWorkspace('inbox'),
    prepare: (page) =>
      page.route(conversations, (route) => route.fulfill({ status: 503, json: { code: 'service_unavailable' } })),
    act: (page) => page.getByRole('alert').waitFor(),
  },
  {
    name: 'inbox-offline',
    path: inWorkspace('inbox'),
    async act(page) {
      await page.locator('time').first().waitFor();
      await page.context().setOffline(true);
      await page.locator('[data-state=offline]').first().waitFor({ state: 'attached' });
    },
  },
  {
    name: 'navigation',
    path: inWorkspace('inbox'),
    async act(page) {
      const menu = page.locator('header button[aria-expanded]').first();
      if (await menu.isVisible()) await menu.click();
      await page.locator('nav button').last().click();
    },
  },
  { name: 'members', path: inWorkspace('members') },
  { name: 'members-invite', path: inWorkspace('members'), act: press('main header button') },
  { name: 'api-keys', path: inWorkspace('api-keys') },
  { name: 'api-keys-new', path: inWorkspace('api-keys'), act: press('main header button') },
  { name: 'api-keys-revoke', path: inWorkspace('api-keys'), act: press('main li button') },
  { name: 'audit', path: inWorkspace('audit') },
  { name: 'profile', path: () => '/profile' },
  { name: 'security', path: () => '/security' },
  { name: 'unknown', path: inWorkspace('nowhere') },
  { name: 'parts', path: () => '/parts', act: (page) => page.locator('h1').waitFor() },
];
