import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { drawn } from '@majlis/testing/drawn';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { pressUntilTaken } from '@majlis/testing/press-until-taken';
import { receiveMessage } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace, { name: 'Muna Salim' });
const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
await member.at('POST', `/conversations/${conversation_id}/messages`, { kind: 'text', body: 'أهلاً، كيف نخدمك؟' });
await member.at('POST', `/conversations/${conversation_id}/notes`, { body: 'A note for @Muna' });
const broadcast = await member.at('POST', '/broadcasts', {
  name: 'Orders of Friday',
  template: { name: 'order_update', language: 'en' },
  audience: {
    recipients: [newDigits(), '96890131026'].map((digits) => ({ to: `+${digits}`, params: ['Muna', 'A-1'] })),
  },
});
const definition = {
  trigger: 'api_call',
  steps: [
    { do: 'ask', name: 'rating', text: 'كيف كانت تجربتك؟', within: '1d', on_timeout: [{ do: 'end' }] },
    { do: 'branch', cases: [{ when: [{ value: '{{steps.rating.answer}}', less_than: 3 }], steps: [] }], else: [] },
  ],
};
const { workflow } = (await member.at('POST', '/workflows', { name: 'Rating', definition })).body;
const workflowPage = `/w/${workspace.id}/workflows/${workflow.id}`;
const [channel] = (await member.at('GET', '/channels')).body.data;
const channelPage = `/w/${workspace.id}/channels/${channel.id}`;
const pages = await openPages(majlis);

const inbox = `/w/${workspace.id}/inbox`;
const broadcasts = `/w/${workspace.id}/broadcasts`;
const conversation = `${inbox}/${conversation_id}`;
const open = (path: string, options: Parameters<typeof openSignedIn>[2] = {}) =>
  openSignedIn(pages, { url: majlis.url, member, path }, options);

async function settle(page: Page): Promise<void> {
  await page.locator('main :is(h1, h2):visible, [role=dialog] h2').first().waitFor();
  await eventually(
    () => page.locator('[class*=spinner], [data-skeleton]').count(),
    (count) => count === 0,
  );
}

/** Colors and parts that are still on their way have a contrast of their own. */
async function untilStill(page: Page): Promise<void> {
  await drawn(page);
  await eventually(
    () =>
      page.evaluate(
        `document.getAnimations().filter((one) => one.playState === 'running' && one.effect.getTiming().iterations < 9).length`,
      ),
    (moving) => moving === 0,
  );
}

async function untilComposer(page: Page): Promise<void> {
  await settle(page);
  await page.locator('textarea:read-write').first().waitFor();
}

interface State {
  path: string;
  show?: (page: Page) => Promise<void>;
}

/** What shows a screen or a dialog, by a name. */
const states: Record<string, State> = {
  conversation: { path: conversation, show: untilComposer },
  note: {
    path: conversation,
    async show(page) {
      await untilComposer(page);
      await page.locator('[role=tab]').nth(1).click();
    },
  },
  'found messages': {
    path: inbox,
    async show(page) {
      await settle(page);
      await page.getByRole('searchbox').fill('نخدمك');
      await page.locator('a[href*="message="]').first().waitFor();
    },
  },
  'views menu': { path: inbox, show: (page) => openMenu(page, 'main nav [aria-haspopup=menu]') },
  'message menu': { path: conversation, show: (page) => openMenu(page, 'article [aria-haspopup=menu]') },
  'assign menu': { path: conversation, show: (page) => pressIn(page, 'a', 'menu') },
  'snooze menu': { path: conversation, show: (page) => pressIn(page, 's', 'menu') },
  'close dialog': { path: conversation, show: (page) => pressIn(page, 'e', 'dialog') },
  palette: { path: inbox, show: (page) => pressIn(page, 'Control+k', 'dialog') },
  shortcuts: { path: inbox, show: (page) => pressIn(page, '?', 'dialog') },
  broadcast: {
    path: `${broadcasts}/${broadcast.body.id}`,
    async show(page) {
      await settle(page);
      await page.locator('[data-step=failed] strong', { hasText: '1' }).waitFor();
    },
  },
  'new broadcast': { path: `${broadcasts}/new`, show: (page) => chooseTemplate(page, 'spring_sale', 1) },
  'broadcast before its start': {
    path: `${broadcasts}/new`,
    async show(page) {
      await chooseTemplate(page, 'order_update', 0);
      await page.locator('input[name=name]').fill('Orders');
      await page.locator('textarea').fill(`+${newDigits()},Muna,A-1\n12,Ravi,A-2`);
      await page.locator('main [type=submit]').click();
      await page.locator('main dl').first().waitFor();
    },
  },
  'custom fields': { path: `/w/${workspace.id}/lists/fields` },
  tags: { path: `/w/${workspace.id}/lists/tags` },
  'team dialog': { path: `/w/${workspace.id}/teams`, show: (page) => pressFirst(page, 'main header button') },
  'business hours': {
    path: `/w/${workspace.id}/workspace`,
    show: (page) => pressFirst(page, 'main form:last-of-type label'),
  },
  'retention dialog': {
    path: `/w/${workspace.id}/workspace`,
    async show(page) {
      const form = page.locator('main form').last();
      await page.locator('main form').nth(2).waitFor();
      await form.locator('label').first().click();
      await form.locator('[name=conversation_days]').fill('30');
      await form.locator('[type=submit]').click();
      await page.locator('[role=dialog] [type=submit]').waitFor();
    },
  },
  'workflow editor': {
    path: workflowPage,
    async show(page) {
      await settle(page);
      await page.locator('main button:has(.lucide-pencil)').first().click();
      await page.locator('[data-step="/steps/1"] button').first().waitFor();
    },
  },
  'step dialog': {
    path: workflowPage,
    async show(page) {
      await settle(page);
      await page.locator('main button:has(.lucide-pencil)').first().click();
      await page.locator('[data-step="/steps/1"] button').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  'workflow versions': { path: `${workflowPage}?view=versions` },
  'workflow runs': { path: `${workflowPage}?view=runs` },
  'dry run': {
    path: `${workflowPage}?view=dry-run`,
    async show(page) {
      await settle(page);
      await page.locator('main li button').first().click();
      await page.locator('main button[data-look=primary]').last().click();
      await page.locator('[data-path]').waitFor();
    },
  },
  'not found': { path: `/w/${workspace.id}/nothing-here` },
};
const ofPerson = ['/profile', '/security', '/notifications', '/guide'];
const ofStrangers = ['/', '/forgot', '/join', '/parts'];

/** Every page that the navigation of an owner leads to. */
async function placesOf(page: Page): Promise<string[]> {
  await settle(page);
  const paths: string[] = await page.evaluate(
    `[...document.querySelectorAll('nav a[href^="/w/"]')].map((link) => link.getAttribute('href').replace(/[?].*/, ''))`,
  );
  assert.ok(paths.length >= 8, paths.join());
  return [...new Set(paths)];
}

/** A template, and the kind of audience by its place. */
async function chooseTemplate(page: Page, name: string, kind: number): Promise<void> {
  await settle(page);
  await page.getByText(name, { exact: true }).click();
  await page.getByRole('radiogroup').last().locator('label').nth(kind).click();
}

/** The list beside a conversation, without a field that takes letters, then a key. */
async function pressIn(page: Page, key: string, role: 'menu' | 'dialog'): Promise<void> {
  await settle(page);
  await page.locator('time').first().waitFor();
  await pressUntilTaken(page, key);
  await page.getByRole(role).waitFor();
}

async function openMenu(page: Page, button: string): Promise<void> {
  await settle(page);
  await page.locator(button).first().press('Enter');
  await page.getByRole('menu').waitFor();
}

async function pressFirst(page: Page, selector: string): Promise<void> {
  await settle(page);
  await page.locator(selector).last().click();
}

/** Arrow keys scroll the list of the palette from its search field, which axe does not see. */
const rules = `{ rules: { 'scrollable-region-focusable': { enabled: !document.querySelector('[role=dialog] [role=menu]') } } }`;

async function findingsOf(page: Page, options: string): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(
    `axe.run(document, ${options}).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html.slice(0, 200)).join(' ')))`,
  );
}

describe('each screen and dialog', () => {
  for (const locale of ['en', 'ar'] as const) {
    /** In both themes of the page as it stands. They differ in their colors alone, which are those of every language. */
    async function check(page: Page, name: string): Promise<string[]> {
      const findings: string[] = [];
      for (const colorScheme of locale === 'en' ? (['light', 'dark'] as const) : (['light'] as const)) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await untilStill(page);
        const found = await findingsOf(page, colorScheme === 'light' ? rules : `{ runOnly: ['color-contrast'] }`);
        findings.push(...found.map((finding) => `${name}, ${colorScheme}: ${finding}`));
      }
      return findings;
    }

    async function checkAll(page: Page, shown: readonly [string, State][]): Promise<void> {
      const findings: string[] = [];
      for (const [name, { path, show = settle }] of shown) {
        await page.goto(`${majlis.url}${path}`);
        await show(page);
        findings.push(...(await check(page, name)));
      }
      assert.deepEqual(findings, []);
      await page.context().close();
    }

    it(`has no findings of axe on the pages of a person at work, in ${locale}`, async () => {
      const { page } = await open(inbox, { locale, reducedMotion: 'reduce' });
      const paths = [...(await placesOf(page)), ...ofPerson];
      await checkAll(
        page,
        paths.map((path) => [path, { path }]),
      );
    });

    it(`has no findings of axe in what a person at work opens, in ${locale}`, async () => {
      const { page } = await open(inbox, { locale, reducedMotion: 'reduce' });
      await checkAll(page, Object.entries(states));
    });

    it(`has no findings of axe for a stranger, in ${locale}`, async () => {
      const findings: string[] = [];
      const { page, context } = await pages.open({ locale, reducedMotion: 'reduce' });
      for (const path of ofStrangers) {
        await page.goto(`${majlis.url}${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        findings.push(...(await check(page, path)));
      }
      assert.deepEqual(findings, []);
      await context.close();
    });
  }
});

describe('a small screen', () => {
  for (const locale of ['en', 'ar'] as const) {
    it(`of 320 px and more scrolls no page sideways, in ${locale}`, async () => {
      const { page, context } = await open(inbox, { locale });
      const wide: string[] = [];
      for (const path of [...(await placesOf(page)), conversation, workflowPage, channelPage, ...ofPerson]) {
        await page.goto(`${majlis.url}${path}`);
        for (const width of [390, 360, 320]) {
          await page.setViewportSize({ width, height: 2 * width });
          await settle(page);
          // What the page measures itself, such as a chart, is drawn in the next frame.
          await untilStill(page);
          const over = await page.evaluate(
            'document.scrollingElement.scrollWidth - document.documentElement.clientWidth',
          );
          if (Number(over) > 0) wide.push(`${path} at ${width} by ${over}`);
        }
      }
      assert.deepEqual(wide, []);
      await context.close();
    });
  }

  it('goes from the list to a conversation and back', async () => {
    const { page, context } = await open(inbox, { viewport: { width: 390, height: 844 } });
    // Its window is open; those of the broadcast took nothing but templates.
    await page.locator(`main a[data-id="${conversation_id}"]`).click();
    await page.locator('textarea:read-write').waitFor();
    const { y, height } = (await page.locator('textarea').boundingBox())!;
    assert.ok(y + height <= 844, 'the composer is on the screen');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.waitForURL(`**${inbox}`);
    await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
    await context.close();
  });
});

describe('a target', () => {
  it('is 24 px wide and high at least, or stands in a line of text', async () => {
    const { page, context } = await open(conversation, { viewport: { width: 1440, height: 900 } });
    await untilComposer(page);
    const small =
      await page.evaluate(`[...document.querySelectorAll('button, a[href], [role=tab], [role=option], input:not([type=hidden], [type=file])')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('p, bdi, [class*=skip]'))
      // The label of a switch is its target; its own input is hidden.
      .map((one) => [(one.closest('label') ?? one).getBoundingClientRect(), one])
      .filter(([{ width, height }]) => width > 1 && height > 1 && (width < 23.5 || height < 23.5))
      .map(([{ width, height }, one]) => Math.round(width) + 'x' + Math.round(height) + ' ' + one.outerHTML.slice(0, 160))`);
    assert.deepEqual(small, []);
    await context.close();
  });
});

describe('the focus', () => {
  it('returns to where it was after a dialog, and is visible', async () => {
    const { page, context } = await open(inbox);
    await settle(page);
    const opener = page.getByRole('button', { name: 'Find a command' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(
      () => page.evaluate('document.activeElement.textContent'),
      (text) => text === 'Find a command',
    );
    const look = await page.evaluate(
      `(({ outlineStyle, boxShadow }) => outlineStyle + ' ' + boxShadow)(getComputedStyle(document.activeElement))`,
    );
    assert.notEqual(look, 'none none');
    await context.close();
  });

  it('passes through the whole page by Tab, reaches each part and comes back to the start', async () => {
    const { page, context } = await open(conversation);
    await untilComposer(page);
    const places: string[] = [];
    for (let presses = 0; presses < 120; presses++) {
      await page.keyboard.press('Tab');
      const place = String(
        await page.evaluate(`(() => {
          const { activeElement: at } = document;
          if (at === document.body) return 'outside';
          const part = at.closest('nav, textarea, [role=feed], aside, form, section, header, main') ?? at;
          return (part.tagName + ' ' + (part.getAttribute('role') ?? '')).trim().toLowerCase();
        })()`),
      );
      places.push(place);
      // Behind the last stop the focus leaves the page, and comes in again at its start.
      if (place === 'outside') break;
    }
    assert.equal(places.at(-1), 'outside', places.join('\n'));
    for (const part of ['nav', 'textarea', 'div feed'])
      assert.ok(places.includes(part), `${part} in ${new Set(places).values().toArray()}`);
    await context.close();
  });
});

describe('the structure of a page', () => {
  it('has one main landmark, named navigation, one first heading, and announces politely', async () => {
    const { page, context } = await open(conversation);
    await untilComposer(page);
    assert.equal(await page.getByRole('main').count(), 1);
    assert.equal(await page.locator('h1').count(), 1);
    assert.equal(await page.locator('nav:not([aria-label], [aria-labelledby])').count(), 0);
    assert.equal(await page.locator('[aria-live=assertive]:not([role=alert]):not(:empty)').count(), 0);
    await context.close();
  });

  it('does not move where motion is unwelcome', async () => {
    const { page, context } = await open(conversation, { reducedMotion: 'reduce' });
    await untilComposer(page);
    const moving = await page.evaluate(`document.getAnimations()
      .filter((one) => one.effect.getComputedTiming().duration > 10 && one.playState === 'running').length`);
    assert.equal(moving, 0);
    await context.close();
  });
});
