import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import type { BrowserContextOptions, Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);
let workspace: TestWorkspace;
let owner: Member;
before(async () => {
  workspace = await majlis.workspace();
  owner = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
});

const open = (path: string, options: BrowserContextOptions = {}) =>
  openSignedIn(pages, { url: majlis.url, member: owner, path: `/w/${workspace.id}${path}` }, options);

async function writes(handle: string, text: string, id = `wamid.${randomUUID()}`): Promise<string> {
  const contacts = [{ profile: { name: `Customer ${handle}` }, wa_id: handle }];
  await postNotification(majlis, workspace, { contacts, messages: [platformText(handle, text, { id })] });
  return id;
}

async function conversationOf(handle: string): Promise<string> {
  const [found] = await eventually(
    async () => (await owner.at('GET', `/conversations?q=${handle}`)).body.data,
    (list) => list.length === 1,
  );
  return found.id;
}

/** Holds the answers to a path back, until the function that it returns is called. */
async function holdAnswers(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(path, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

const row = (page: Page, handle: string) => page.locator('main li a[data-id]', { hasText: handle });

describe('what is loaded', () => {
  it('has its shape in the list, and the rows stand where the shape stood', async () => {
    const handle = newDigits();
    await writes(handle, 'Hello');
    await conversationOf(handle);
    const { page, context } = await open('/inbox');
    const release = await holdAnswers(page, '**/console/v1/workspaces/*/inbox?*');
    await page.reload();
    const piece = page.locator('[data-skeleton][data-shape=conversations] > div').first();
    await piece.waitFor();
    await page.getByRole('status').getByText('Loading').first().waitFor();
    const place = (await piece.boundingBox())!;
    release();
    const first = page.locator('main li a[data-id]').first();
    await first.waitFor();
    const { y, height } = (await first.boundingBox())!;
    assert.deepEqual({ y, height }, { y: place.y, height: place.height });
    assert.equal(await page.locator('[data-skeleton][data-shape=conversations]').count(), 0);
    await context.close();
  });

  for (const [path, answers, shape] of [
    ['/api-keys', '**/api-keys', 'rows'],
    ['/members', '**/members', 'rows'],
  ] as const) {
    it(`has its shape on ${path}, and no spinner`, async () => {
      const { page, context } = await open('/inbox');
      const release = await holdAnswers(page, `**/console/v1/workspaces/*${answers.slice(2)}`);
      await page.getByRole('link', { name: 'Settings' }).click();
      const settings = page.getByRole('navigation', { name: 'Settings' });
      await settings.locator(`a[href$="${path}"]`).click();
      await page.locator(`[data-skeleton][data-shape=${shape}]`).waitFor();
      assert.equal(await page.locator('[class*=spinner]').count(), 0);
      release();
      await page.locator('[data-skeleton]').waitFor({ state: 'detached' });
      await context.close();
    });
  }

  it('has its shape in a thread and in the panel of the contact', async () => {
    const handle = newDigits();
    await writes(handle, 'Hello');
    const id = await conversationOf(handle);
    const { page, context } = await open('/inbox', { viewport: { width: 1440, height: 900 } });
    const releaseThread = await holdAnswers(page, `**/conversations/${id}/**`);
    const releaseContact = await holdAnswers(page, '**/contacts/*');
    await row(page, handle).click();
    await page.locator('[data-skeleton][data-shape=thread]').waitFor();
    await page.locator('[data-skeleton][data-shape=panel]').waitFor();
    releaseThread();
    releaseContact();
    await page.locator('article[data-id]').waitFor();
    await page.locator('[data-skeleton]').first().waitFor({ state: 'detached' });
    await context.close();
  });
});

describe('a row of the list', () => {
  it('has its text below the time where no mark stands, and beside the marks otherwise', async () => {
    const handle = newDigits();
    await writes(handle, 'A long text '.repeat(20));
    const id = await conversationOf(handle);
    const { page, context } = await open('/inbox');
    const shown = row(page, handle);
    const body = shown.locator('[class*=body]');
    const time = shown.locator('time');
    await shown.getByText('1', { exact: true }).waitFor();
    const beside = (await body.boundingBox())!;
    const badge = (await shown.locator('[class*=unread]').first().boundingBox())!;
    assert.ok(beside.x + beside.width <= badge.x, 'the text ends before the marks');
    const answer = { kind: 'text', body: 'Our answer is as long. '.repeat(12) };
    assert.equal((await owner.at('POST', `/conversations/${id}/messages`, answer)).status, 201);
    const { data } = (await owner.at('GET', `/conversations/${id}/thread`)).body;
    const last_read_message_id = data.findLast(({ type }: { type: string }) => type === 'message').id;
    const marked = await owner.at('PUT', `/conversations/${id}/read-mark`, { last_read_message_id });
    assert.equal(marked.body.unread_count, 0);
    await page.reload();
    await body.getByText('Our answer').waitFor();
    assert.equal(await shown.getAttribute('data-unread'), null);
    const [below, at] = [(await body.boundingBox())!, (await time.boundingBox())!];
    assert.ok(below.x + below.width > at.x + at.width / 2, 'the text goes on below the time');
    await context.close();
  });

  for (const [locale, author] of [
    ['en', 'Phone app'],
    ['ar', 'تطبيق الهاتف'],
  ] as const) {
    it(`says that a message came from the phone app, as the thread does (${locale})`, async () => {
      const handle = newDigits();
      await writes(handle, 'Are you there?');
      const id = await conversationOf(handle);
      const echo = { ...platformText('96880000001', 'From my phone.', { id: `wamid.${randomUUID()}` }), to: handle };
      await postNotification(majlis, workspace, { message_echoes: [echo] }, 'smb_message_echoes');
      const { page, context } = await open('/inbox', { locale });
      await row(page, handle).getByText(`${author}:`).waitFor();
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${id}`);
      await page.locator('article[data-side=end]').getByText(author, { exact: true }).waitFor();
      await context.close();
    });
  }
});

describe('the thread', () => {
  for (const [locale, edited] of [
    ['en', 'Edited'],
    ['ar', 'مُعدَّلة'],
  ] as const) {
    it(`marks a message that its author edited (${locale})`, async () => {
      const handle = newDigits();
      const wamid = await writes(handle, 'At five.');
      const id = await conversationOf(handle);
      const { page, context } = await open(`/inbox/${id}`, { locale });
      await page.locator('article').getByText('At five.').waitFor();
      assert.equal(await page.locator('article').getByText(edited).count(), 0);
      const edit = { original_message_id: wamid, message: { type: 'text', text: { body: 'At six.' } } };
      const { text: _, ...common } = platformText(handle, '', { id: `wamid.${randomUUID()}` });
      await postNotification(majlis, workspace, { messages: [{ ...common, type: 'edit', edit }] });
      await page.locator('article').getByText('At six.').waitFor();
      await page.locator('article').getByText(edited, { exact: true }).waitFor();
      await context.close();
    });
  }

  it('shows the day over its first line while it moves, and no longer', async () => {
    const handle = newDigits();
    for (let count = 0; count < 40; count++) await writes(handle, `Line ${count}`);
    const id = await conversationOf(handle);
    const { page, context } = await open(`/inbox/${id}`, { viewport: { width: 1280, height: 600 } });
    await page.locator('article').getByText('Line 39').waitFor();
    const feed = (await page.getByRole('feed').boundingBox())!;
    await page.mouse.move(feed.x + feed.width / 2, feed.y + feed.height / 2);
    // Before it stands at its end, a turn of the wheel may find nothing above it.
    await eventually(
      () => page.getByRole('feed').evaluate((one) => one.scrollHeight - one.clientHeight - one.scrollTop),
      (left) => left <= 1,
    );
    // The day is shown for a moment, which may lie between two looks of the test.
    await page.evaluate(`new MutationObserver(() => {
      globalThis.wasDayShown ||= document.querySelector('[class*=top] [data-shown]')?.checkVisibility() === true;
    }).observe(document.body, { subtree: true, childList: true, attributes: true })`);
    await page.mouse.wheel(0, -300);
    await eventually(
      () => page.evaluate('globalThis.wasDayShown'),
      (wasShown) => wasShown === true,
    );
    await eventually(
      () => page.evaluate(`getComputedStyle(document.querySelector('[class*=top] [class*=day]')).opacity`),
      (opacity) => opacity === '0',
    );
    await context.close();
  });
});

describe('what is shown once', () => {
  it('stays until the person says that it is saved, and can be stored as a file', async () => {
    const { page, context } = await open('/api-keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('till');
    await page.getByRole('button', { name: 'Make the key' }).click();
    const key = await page.getByRole('textbox', { name: 'New API key' }).inputValue();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    assert.equal(await page.getByRole('dialog').getByRole('button', { name: 'Close' }).count(), 0);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const file = await (await downloading).createReadStream();
    let stored = '';
    for await (const part of file) stored += part;
    assert.equal(stored, key);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await context.close();
  });

  it('is a code for the camera where it goes into an app', async () => {
    const { page, context } = await open('/inbox');
    await page.goto(`${majlis.url}/security`);
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await context.close();
  });
});

describe('the focus', () => {
  for (const isLate of [false, true]) {
    it(`goes to the page where the removed row had it, ${isLate ? 'after' : 'before'} the dialog is gone`, async () => {
      const leaver = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Leaver' });
      const { page, context } = await open('/members');
      const row = page.locator('li', { hasText: leaver.email });
      await row.getByRole('button', { name: 'Remove' }).click();
      const members = '**/console/v1/workspaces/*/members';
      const release = isLate ? await holdAnswers(page, members) : undefined;
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      if (release) {
        await row.locator('button:focus').waitFor();
        release();
      }
      await page.getByText(leaver.email).waitFor({ state: 'detached' });
      await eventually(
        () => page.evaluate('document.activeElement.id'),
        (id) => id === 'content',
      );
      await context.close();
    });
  }

  it('and what is on are seen in forced colours', async () => {
    const { page, context } = await open('/inbox');
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(`${majlis.url}/profile`);
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.press('Tab');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    assert.equal(outline, 'solid');
    const track = page.locator('[class*=track]').first();
    const colour = () => page.evaluate(`getComputedStyle(document.querySelector('[class*=track]')).backgroundColor`);
    const off = await colour();
    await track.click();
    await eventually(colour, (now) => now !== off);
    await context.close();
  });
});

describe('a refusal of the service', () => {
  it('is in the language of the console', async () => {
    const { page, context } = await open('/inbox', { locale: 'ar' });
    await page.goto(`${majlis.url}/security`);
    await page.locator('main button').first().click();
    await page.locator('input[name=password]').fill('short');
    await page.locator('form button[type=submit]').first().click();
    await page.getByText('أدخل 10 أحرف على الأقل').waitFor();
    assert.equal(await page.getByText(/characters or more/).count(), 0);
    await context.close();
  });
});

describe('text', () => {
  /** The sizes in px: of the page, of the smallest text and of the smallest field that is seen. */
  const sizes = `(() => {
    const px = (element) => parseFloat(getComputedStyle(element).fontSize);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const small = [];
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      if (element.checkVisibility() && texts.currentNode.data.trim()) small.push(px(element));
    }
    const fields = [...document.querySelectorAll('[type=text], [type=search], textarea')].filter((field) => field.checkVisibility());
    return { page: px(document.body), small: Math.min(...small), field: Math.min(...fields.map(px)) };
  })()`;

  for (const [locale, small] of [
    ['en', 12],
    ['ar', 13],
  ] as const) {
    it(`can be read, and a phone does not enlarge the page at a field (${locale})`, async () => {
      const handle = newDigits();
      await writes(handle, 'Can you read this?');
      const id = await conversationOf(handle);
      for (const [field, options] of [
        [14, {}],
        [16, { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true }],
      ] as const) {
        const { page, context } = await open('/inbox', { locale, ...options });
        await page.locator(`a[data-id="${id}"]`).click();
        await page.locator('[data-message]', { hasText: 'Can you read this?' }).waitFor();
        await page.locator('textarea:read-write').waitFor();
        assert.deepEqual(await page.evaluate(sizes), { page: 14, small, field });
        await context.close();
      }
    });
  }
});
