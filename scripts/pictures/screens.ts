import type { Page } from 'playwright-core';
import type { Demo } from './demo.ts';
import { showImports, showReceipts } from './erasures-and-imports.ts';
import { inboxScreens } from './inbox-screens.ts';
import { showUsername, showVolumeTiers } from './platform-reports.ts';
import type { Screen } from './screen.ts';

const inWorkspace = (place: string) => (demo: Demo) => `/w/${demo.workspace_id}/${place}`;
const conversations = '**/console/v1/workspaces/*/inbox*';

/** Presses a button by its place, because its words differ by language. */
const press = (selector: string) => (page: Page) => page.locator(selector).first().click();

const waitFor = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();

/** The hours of a usual week, which nothing stores. */
async function showHours(page: Page): Promise<void> {
  await page.locator('form').nth(1).locator('label').first().click();
  await page.locator('fieldset button').last().click();
  await page.locator('[type=date]').first().scrollIntoViewIfNeeded();
}

/** The hours of a colleague, which nothing stores. */
async function showWorkingHours(page: Page): Promise<void> {
  await page.locator('main li button:not([aria-haspopup])').first().click();
  await page.locator('[role=dialog] form label').first().click();
  await page.locator('[role=dialog] [type=time]').first().waitFor();
}

/** An invitation that nobody has accepted. */
const showInvitation = (page: Page) =>
  page.route('**/console/v1/workspaces/*/invitations', (route) => {
    const expires_at = new Date(Date.now() + 20.5 * 3_600_000).toISOString();
    const invitation = { id: 'invitation', email: 'sara@majan.example', role: 'supervisor', expires_at };
    return route.fulfill({ json: { data: [{ ...invitation, created_at: expires_at }] } });
  });

async function askForRetention(page: Page): Promise<void> {
  const form = page.locator('form').last();
  await form.locator('label').first().click();
  await form.locator('[name=conversation_days]').fill('30');
  await form.locator('[type=submit]').click();
  await page.locator('[role=dialog] [type=submit]').waitFor();
}

async function showLastTable(page: Page): Promise<void> {
  await page.locator('canvas').first().waitFor();
  await page.locator('table').nth(2).scrollIntoViewIfNeeded();
}

async function askToDisconnect(page: Page): Promise<void> {
  await page.locator('main li a').first().click();
  await page.locator('main button[data-look=danger]').click();
  await page.locator('[role=dialog] ul').waitFor();
}

async function openWorkflow(page: Page): Promise<void> {
  await page.locator('main li a').first().click();
  await page.locator('main [data-flow]').waitFor();
}

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
  ...inboxScreens,
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
      await page.locator('main').locator('xpath=..').getByRole('alert').waitFor();
    },
  },
  {
    name: 'navigation',
    path: inWorkspace('inbox'),
    async act(page) {
      const menu = page.locator('header button[aria-expanded]').first();
      if (await menu.isVisible()) await menu.click();
      await page.locator('nav').first().locator('button').last().click();
    },
  },
  { name: 'members', path: inWorkspace('members') },
  { name: 'members-invite', path: inWorkspace('members'), act: press('main header button') },
  { name: 'members-hours', path: inWorkspace('members'), act: (page) => showWorkingHours(page) },
  {
    name: 'members-withdraw',
    path: inWorkspace('members'),
    prepare: showInvitation,
    act: press('main section li button'),
  },
  { name: 'api-keys', path: inWorkspace('api-keys') },
  { name: 'api-keys-new', path: inWorkspace('api-keys'), act: press('main header button') },
  { name: 'api-keys-revoke', path: inWorkspace('api-keys'), act: press('main li button') },
  { name: 'webhooks', path: inWorkspace('webhooks') },
  { name: 'webhooks-add', path: inWorkspace('webhooks'), act: press('main header button') },
  { name: 'webhook', path: ({ workspace_id, endpoint_id }) => `/w/${workspace_id}/webhooks/${endpoint_id}` },
  {
    name: 'webhook-rotate',
    path: ({ workspace_id, endpoint_id }) => `/w/${workspace_id}/webhooks/${endpoint_id}`,
    act: (page) => page.locator('main section button').nth(2).click(),
  },
  { name: 'canned-delete', path: inWorkspace('canned-replies'), act: press('main li button:last-child') },
  { name: 'teams', path: inWorkspace('teams') },
  { name: 'team-new', path: inWorkspace('teams'), act: press('main header button') },
  { name: 'lists', path: inWorkspace('lists') },
  { name: 'stage-delete', path: inWorkspace('lists'), act: press('main ol li button:last-child') },
  { name: 'lists-fields', path: inWorkspace('lists/fields') },
  { name: 'lists-tags', path: inWorkspace('lists/tags') },
  { name: 'tag-rename', path: inWorkspace('lists/tags'), act: press('main li button') },
  { name: 'workspace', path: inWorkspace('workspace') },
  { name: 'business-hours', path: inWorkspace('workspace'), act: (page) => showHours(page) },
  { name: 'retention', path: inWorkspace('workspace'), act: (page) => askForRetention(page) },
  { name: 'channel-disconnect', path: inWorkspace('channels'), act: (page) => askToDisconnect(page) },
  {
    name: 'channel-username',
    path: inWorkspace('channels'),
    prepare: showUsername,
    act: press('main a[href*="/channels/"]'),
  },
  { name: 'channels', path: inWorkspace('channels') },
  { name: 'channel', path: inWorkspace('channels'), act: press('main a[href*="/channels/"]') },
  { name: 'proposals', path: inWorkspace('proposals'), act: waitFor('[data-waiting]') },
  { name: 'proposal-edit', path: inWorkspace('proposals'), act: press('[data-waiting] [data-act=edit]') },
  { name: 'channels-connect', path: inWorkspace('channels'), act: press('main header button') },
  { name: 'broadcasts', path: inWorkspace('broadcasts') },
  {
    name: 'broadcast',
    path: (demo) => `/w/${demo.workspace_id}/broadcasts/${demo.broadcast_id}`,
    act: (page) => page.locator('[data-step=failed] strong', { hasText: '2' }).waitFor(),
  },
  {
    name: 'broadcast-new',
    path: inWorkspace('broadcasts/new'),
    act: (page) => page.getByText('order_update', { exact: true }).first().click(),
  },
  {
    name: 'broadcast-review',
    path: inWorkspace('broadcasts/new'),
    async act(page) {
      await page.locator('input[name=name]').fill('Orders of Friday');
      await page.getByText('order_update', { exact: true }).first().click();
      await page
        .locator('textarea')
        .fill('+96891234567,Muna,A-1\n+96891234568,Ravi,A-2\n12,Nobody,A-3\n+96891234569,Sara');
      await page.locator('main [type=submit]').click();
      await page.locator('main dl').first().waitFor();
    },
  },
  { name: 'templates', path: inWorkspace('templates') },
  { name: 'template-new', path: inWorkspace('templates/new') },
  { name: 'workflows', path: inWorkspace('workflows') },
  { name: 'workflow-new', path: inWorkspace('workflows'), act: press('main header button') },
  { name: 'workflow', path: inWorkspace('workflows'), act: openWorkflow },
  {
    name: 'workflow-editor',
    path: inWorkspace('workflows'),
    async act(page) {
      await openWorkflow(page);
      await press('main button:has(.lucide-pencil)')(page);
      await press('[data-step] button')(page);
    },
  },
  {
    name: 'workflow-dry-run',
    path: inWorkspace('workflows'),
    async act(page) {
      await openWorkflow(page);
      await press('main nav a[href*=dry-run]')(page);
      await press('main li button')(page);
      await page.locator('main button[data-look=primary]').last().click();
      await page.locator('main [role=status], main [role=alert]').first().waitFor();
    },
  },
  {
    name: 'workflow-runs',
    path: inWorkspace('workflows'),
    async act(page) {
      await openWorkflow(page);
      await press('main nav a[href*=runs]')(page);
      await page.locator('main h2, main li').first().waitFor();
    },
  },
  {
    name: 'workflow-versions',
    path: inWorkspace('workflows'),
    async act(page) {
      await openWorkflow(page);
      await press('main nav a[href*=versions]')(page);
      await press('main li button')(page);
      await page.locator('main [data-flow]').waitFor();
    },
  },
  { name: 'contacts', path: inWorkspace('contacts') },
  { name: 'contact', path: (demo) => `/w/${demo.workspace_id}/contacts/${demo.contact_id}` },
  {
    name: 'contact-erase',
    path: (demo) => `/w/${demo.workspace_id}/contacts/${demo.contact_id}`,
    act: press('main button:has(.lucide-trash-2, .lucide-trash2)'),
  },
  { name: 'contacts-import', path: inWorkspace('contacts/import') },
  { name: 'contacts-import-list', path: inWorkspace('contacts/import'), prepare: showImports },
  { name: 'ai', path: inWorkspace('ai'), act: waitFor('main li') },
  {
    name: 'ai-agent-new',
    path: inWorkspace('ai'),
    act: press('main header button'),
  },
  {
    name: 'ai-knowledge-add',
    path: inWorkspace('ai'),
    act: press('[aria-labelledby=knowledge] header button'),
  },
  {
    name: 'ai-search',
    path: inWorkspace('ai'),
    async act(page) {
      await page.locator('[name=question]').fill('delivery to Salalah');
      await page.locator('main [type=submit]').click();
      await page.locator('main ol li').first().waitFor();
    },
  },
  { name: 'analytics', path: inWorkspace('analytics'), act: waitFor('canvas') },
  { name: 'analytics-groups', path: inWorkspace('analytics?group=user&range=last_7'), act: waitFor('canvas') },
  {
    name: 'analytics-messages',
    path: inWorkspace('analytics'),
    async act(page) {
      await page.locator('canvas').first().waitFor();
      await page.locator('main section').last().scrollIntoViewIfNeeded();
    },
  },
  { name: 'billing-tiers', path: inWorkspace('billing'), prepare: showVolumeTiers, act: showLastTable },
  { name: 'billing', path: inWorkspace('billing'), act: waitFor('canvas') },
  { name: 'canned-replies', path: inWorkspace('canned-replies') },
  { name: 'canned-reply-new', path: inWorkspace('canned-replies'), act: press('main header button') },
  { name: 'consent-words', path: inWorkspace('consent') },
  { name: 'consents', path: (demo) => `/w/${demo.workspace_id}/contact-consents/${demo.contact_id}` },
  { name: 'notifications', path: () => '/notifications' },
  {
    name: 'stale-version',
    path: inWorkspace('inbox'),
    prepare: (page) =>
      page.route('**/w/**', async (route) => {
        const answer = await route.fetch();
        const body = (await answer.text()).replace(/(majlis-build" content=")[0-9a-f]+/, '$1000000000000');
        await route.fulfill({ response: answer, body });
      }),
  },
  { name: 'audit', path: inWorkspace('audit') },
  { name: 'receipts-empty', path: inWorkspace('receipts') },
  { name: 'receipts', path: inWorkspace('receipts'), prepare: showReceipts },
  { name: 'profile', path: () => '/profile' },
  { name: 'security', path: () => '/security' },
  { name: 'guide', path: () => '/guide', act: waitFor('article h2') },
  { name: 'unknown', path: inWorkspace('nowhere') },
  { name: 'parts', path: () => '/parts', act: (page) => page.locator('h1').waitFor() },
];
