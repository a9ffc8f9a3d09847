import type { Page } from 'playwright-core';
import type { Demo } from './demo.ts';
import { showReportedLines } from './platform-reports.ts';
import type { Screen } from './screen.ts';

/** Customers of the demo whose conversations show something of their own. */
const phones = {
  allKinds: '+96892110482',
  arabic: '+96892008814',
  complaint: '+96894470215',
  failed: '+96890131026',
  bot: '+96893392056',
  closedWindow: '+96895120833',
  closed: '+96899004417',
} as const;

const inInbox = (rest: string) => (demo: Demo) => `/w/${demo.workspace_id}/inbox${rest}`;
const inConversation = (name: keyof typeof phones) => (demo: Demo) =>
  inInbox(`/${demo.conversations.get(phones[name])}`)(demo);

const untilThread = (page: Page) => page.locator('main h2').first().waitFor();
const untilThreadOrList = (page: Page) => page.locator('main :is(h1, h2):visible').first().waitFor();

/** Opens the menu of a chip in the header, or the one button that holds all of them on a small screen. */
const openMenu = (anchor: string) => async (page: Page) => {
  await untilThread(page);
  const chip = page.locator(`[data-anchor="${anchor}"] button, button[data-anchor="${anchor}"]`).first();
  if (await chip.isVisible()) await chip.click();
  else await page.locator('[data-anchor=all] button').click();
};

const press =
  (...keys: string[]) =>
  async (page: Page) => {
    await page.locator('time').first().waitFor();
    for (const key of keys) await page.keyboard.press(key);
  };

const pressButton = (selector: string) => async (page: Page) => {
  await untilThreadOrList(page);
  await page.locator(selector).first().click();
};

/** Opens a menu and takes the entry with this icon. */
const chooseEntry = (button: string, icon: string) => async (page: Page) => {
  await pressButton(button)(page);
  await page
    .getByRole('menuitem')
    .filter({ has: page.locator(icon) })
    .first()
    .click();
};
const moreTools = '[role=toolbar] button:has(.lucide-plus)';
const aiTools = '[role=toolbar] button:has(.lucide-sparkles)';

/** Takes the last entry of a menu. */
const pickLast = (open: (page: Page) => Promise<void>) => async (page: Page) => {
  await open(page);
  const entries = page.getByRole('menuitem');
  // On a phone, the menu of the menus comes first.
  if ((await page.locator('[data-anchor=all] button').isVisible()) === true) await entries.nth(3).click();
  await entries.first().waitFor();
  await page.waitForTimeout(300);
  await page.getByRole('menuitem').last().click();
};

async function openPanel(page: Page): Promise<void> {
  await untilThread(page);
  const toggle = page.locator('main header button:has(.lucide-panel-right)');
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
  await page.locator('.lucide-merge').waitFor();
}

async function pressIfPhone(page: Page): Promise<void> {
  await untilThread(page);
  const toggle = page.locator('main header button:has(.lucide-panel-right)');
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
}

const inPanel = (selector: string) => async (page: Page) => {
  await openPanel(page);
  await page.locator(selector).last().click();
  await page.locator('[role=dialog], [role=alertdialog]').last().waitFor();
};

async function openLater(page: Page): Promise<void> {
  await untilThread(page);
  await page.locator('textarea').first().fill('Good morning! Your sofa is ready.');
  await page.locator('button[data-later]').click();
  await page.getByRole('menuitem').first().waitFor();
}

/** The service answers with two messages that nobody scheduled, so that no other picture has them. */
async function showScheduled(page: Page, content?: object): Promise<void> {
  await page.route('**/opening', async (route) => {
    const response = await route.fetch();
    if (!response.ok()) return route.fulfill({ response });
    const opening = await response.json();
    const now = Date.parse(opening.gate.now);
    const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
    const [, conversation_id] = /conversations\/([^/]+)\//.exec(route.request().url())!;
    const of = { conversation_id, user_id: 'usr_x', user_name: 'Omar', version: 1 };
    const text = (body: string) => ({ preview: body, content: { kind: 'text', body } });
    const [waits, refused] = [
      text('صباح الخير! الكنبة جاهزة للتسليم اليوم بعد العصر إن شاء الله.'),
      { ...text('Your order 1042 leaves tomorrow.'), ...(content && { content }) },
    ];
    const moments = { created_at: at(-20), changed_at: at(-20) };
    const scheduled = [
      {
        ...{ ...of, ...moments, ...refused, id: 'one', send_at: at(-1), state: 'failed' },
        failure: { code: 'bot_in_control' },
      },
      { ...of, ...moments, ...waits, id: 'two', send_at: at(26), state: 'scheduled' },
    ];
    await route.fulfill({ response, json: { ...opening, scheduled } });
  });
  await page.reload();
  await page.locator('article[data-scheduled] button').nth(3).waitFor();
}

const editScheduled = (content?: object) => async (page: Page) => {
  await showScheduled(page, content);
  await page.locator('article[data-scheduled] button').first().click();
  await page.getByRole('dialog').locator('input, textarea').nth(1).waitFor();
};

const views = ['mine', 'unassigned', 'mentions', 'snoozed', 'closed'];

/** The inbox with its views, the kinds of messages, the composer, menus and dialogs. */
/** Every second colleague is outside of their working hours. */
const sendSomeHome = (page: Page) =>
  page.route('**/console/v1/workspaces/*/working-hours', async (route) => {
    const response = await route.fetch();
    const { timezone, data } = (await response.json()) as { timezone: string; data: object[] };
    const people = data.map((one, index) => ({ ...one, at_work: index % 2 === 0 }));
    await route.fulfill({ response, json: { timezone, data: people } });
  });

export const inboxScreens: readonly Screen[] = [
  { name: 'inbox', path: inInbox(''), isAtAllSizes: true },
  ...views.map((view) => ({ name: `inbox-${view}`, path: inInbox(`?view=${view}`) })),
  { name: 'thread', path: inConversation('allKinds'), act: untilThread, isAtAllSizes: true },
  { name: 'thread-arabic', path: inConversation('arabic'), act: untilThread },
  { name: 'thread-complaint', path: inConversation('complaint'), act: untilThread },
  { name: 'thread-failed', path: inConversation('failed'), act: untilThread },
  { name: 'thread-bot', path: inConversation('bot'), act: untilThread },
  { name: 'thread-reports', path: inConversation('arabic'), prepare: showReportedLines, act: untilThread },
  { name: 'thread-closed-window', path: inConversation('closedWindow'), act: untilThread },
  { name: 'thread-closed', path: inConversation('closed'), act: untilThread },
  {
    name: 'composer-note',
    path: inConversation('complaint'),
    async act(page) {
      await untilThread(page);
      await page.locator('[role=tab]').nth(1).click();
      await page.locator('textarea').fill('@Omar please look at the stock in Seeb');
    },
  },
  {
    name: 'composer-canned',
    path: inConversation('allKinds'),
    async act(page) {
      await untilThread(page);
      await page.locator('textarea').first().pressSequentially('/');
      await page.getByRole('option').first().waitFor();
    },
  },
  { name: 'later-menu', path: inConversation('allKinds'), act: openLater },
  {
    name: 'later-dialog',
    path: inConversation('complaint'),
    async act(page) {
      await openLater(page);
      await page.getByRole('menuitem').last().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'scheduled', path: inConversation('arabic'), act: (page) => showScheduled(page) },
  { name: 'scheduled-edit', path: inConversation('arabic'), act: editScheduled() },
  {
    name: 'scheduled-edit-template',
    path: inConversation('arabic'),
    act: editScheduled({
      kind: 'template',
      template: { name: 'order_update', language: 'en', params: ['Muna', '1042'] },
    }),
  },
  {
    name: 'scheduled-edit-choices',
    path: inConversation('arabic'),
    act: editScheduled({
      kind: 'interactive',
      body: 'When may we deliver?',
      interactive: {
        type: 'list',
        buttons: [
          { id: 'choice_1', title: 'Morning', description: 'From 9 to 12' },
          { id: 'choice_2', title: 'Evening' },
        ],
      },
    }),
  },
  { name: 'assign-menu', path: inConversation('allKinds'), prepare: sendSomeHome, act: openMenu('assign') },
  { name: 'stage-menu', path: inConversation('allKinds'), act: openMenu('stage') },
  { name: 'snooze-menu', path: inConversation('allKinds'), act: openMenu('snooze') },
  {
    name: 'close-dialog',
    path: inConversation('allKinds'),
    act: async (page) => {
      await untilThread(page);
      await page.locator('main h2').first().click();
      await page.keyboard.press('e');
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'snooze-dialog', path: inConversation('allKinds'), act: pickLast(openMenu('snooze')) },
  {
    name: 'contact-panel',
    path: inConversation('allKinds'),
    act: (page) => openPanel(page),
  },
  {
    name: 'contact-panel-end',
    path: inConversation('arabic'),
    async act(page) {
      await openPanel(page);
      await page.locator('button:has(.lucide-merge)').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'consent-dialog',
    path: inConversation('allKinds'),
    act: inPanel('div:has(> a[href*=contact-consents]) > button:has(.lucide-plus)'),
  },
  { name: 'merge-dialog', path: inConversation('allKinds'), act: inPanel('button:has(.lucide-merge)') },
  { name: 'erase-dialog', path: inConversation('allKinds'), act: inPanel('button:has(.lucide-trash-2)') },
  {
    name: 'contact-gone',
    path: inConversation('allKinds'),
    prepare: (page) =>
      page.route('**/contacts/*', (route) => route.fulfill({ status: 404, json: { code: 'not_found', message: '' } })),
    act: pressIfPhone,
  },
  {
    name: 'search',
    path: inInbox(''),
    async act(page) {
      await page.locator('input[type=search]').first().fill('delivery');
      await page.locator('mark').first().waitFor();
    },
  },
  {
    name: 'search-nothing',
    path: inInbox(''),
    async act(page) {
      await page.locator('input[type=search]').first().fill('xylophone');
      await page.locator('fieldset').waitFor();
    },
  },
  { name: 'views-menu', path: inInbox(''), act: pressButton('nav button[aria-haspopup]:has(.lucide-chevron-down)') },
  {
    name: 'views-dialog',
    path: inInbox(''),
    act: chooseEntry('nav button[aria-haspopup]:has(.lucide-chevron-down)', '.lucide-plus'),
  },
  {
    name: 'bulk-bar',
    path: inInbox(''),
    async act(page) {
      await chooseEntry('nav button[aria-haspopup]:has(.lucide-chevron-down)', '.lucide-square-check')(page);
      for (const row of [1, 2, 4]) await page.locator('main li label').nth(row).click();
    },
  },
  {
    name: 'message-actions',
    path: inConversation('complaint'),
    async act(page) {
      await page.locator('[data-message]').last().waitFor();
      await page.locator('[data-message]').last().hover();
    },
  },
  {
    name: 'timeline-dialog',
    path: inConversation('failed'),
    async act(page) {
      await page.locator('[data-message]').last().waitFor();
      await page.locator('[data-message]').last().hover();
      await page.locator('[data-message] button[aria-haspopup=menu]').last().click();
      await page.getByRole('menuitem').last().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'tool-templates', path: inConversation('allKinds'), act: pressButton('button:has(.lucide-layout-template)') },
  {
    name: 'tool-template-filled',
    path: inConversation('closedWindow'),
    async act(page) {
      await page.locator('[role=grid] [role=row]').first().click();
    },
  },
  { name: 'tool-voice', path: inConversation('allKinds'), act: pressButton('button:has(.lucide-mic)') },
  { name: 'tool-choices', path: inConversation('allKinds'), act: chooseEntry(moreTools, '.lucide-list-plus') },
  { name: 'tool-location', path: inConversation('allKinds'), act: chooseEntry(moreTools, '.lucide-map-pin') },
  { name: 'tool-ai-draft', path: inConversation('complaint'), act: chooseEntry(aiTools, '.lucide-sparkles') },
  { name: 'tool-ai-summary', path: inConversation('complaint'), act: chooseEntry(aiTools, '.lucide-scroll-text') },
  { name: 'palette', path: inInbox(''), act: press('Control+k') },
  { name: 'shortcuts', path: inInbox(''), act: press('?') },
  {
    name: 'shortcuts-without-key',
    path: inConversation('complaint'),
    async act(page) {
      await untilThread(page);
      await page.locator('main h2').first().click();
      await page.keyboard.press('?');
      await page.locator('[role=dialog] dl > div:not(:has(kbd))').nth(4).scrollIntoViewIfNeeded();
    },
  },
  { name: 'board', path: (demo) => `/w/${demo.workspace_id}/board`, act: (page) => page.locator('h1').waitFor() },
];
