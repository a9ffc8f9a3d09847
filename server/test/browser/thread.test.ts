import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { messageReceiver } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { BrowserContextOptions, Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const pages = await openPages(majlis);
const receive = messageReceiver(majlis, workspace);

const open = (place: string, locale = 'en', options: BrowserContextOptions = {}) =>
  openSignedIn(
    pages,
    { url: majlis.url, member: owner, path: `/w/${workspace.id}/inbox${place}` },
    { locale, ...options },
  );

/** So many pixels of the thread are below the view. */
const leftBelow = (page: Page) =>
  page.locator('[role=feed]').evaluate((feed) => feed.scrollHeight - feed.clientHeight - feed.scrollTop);

/** Waits until nothing in the thread moves: its end is at the same place in twenty frames that the page draws. */
async function untilStill(page: Page): Promise<void> {
  const move = () =>
    page.locator('[role=feed]').evaluate(async (feed) => {
      const left = () => feed.scrollHeight - feed.clientHeight - feed.scrollTop;
      const before = left();
      let moved = 0;
      for (let frame = 0; frame < 20; frame++) {
        await new Promise((drawn) => (globalThis as unknown as Frames).requestAnimationFrame(drawn));
        moved = Math.max(moved, Math.abs(left() - before));
      }
      return moved;
    });
  await eventually(move, (moved) => moved < 1);
}

interface Frames {
  requestAnimationFrame(act: (at: unknown) => void): void;
}

/** The thread stands at its newest message. Before that, a turn of the wheel may find nothing above it. */
const atEnd = (page: Page) =>
  eventually(
    () => leftBelow(page),
    (left) => left <= 1,
  );

const bubble = (page: Page, id: string) => page.locator(`article[data-id="${id}"]`);
const topOf = async (page: Page, id: string) => (await bubble(page, id).boundingBox())?.y;

/** A conversation with so many texts; the ids of the messages, oldest first. */
async function longThread(count: number) {
  const digits = newDigits();
  const { id, conversation_id } = await receive(digits, 'text', 'The first line');
  const path = `/conversations/${conversation_id}`;
  const send = (body: string, more: object = {}) =>
    owner.at('POST', `${path}/messages`, { kind: 'text', body, ...more });
  const sendMany = async (many: number) =>
    (await Promise.all(Array.from({ length: many }, (_, n) => send(`Line ${n}`)))).map(({ body }) => body.id as string);
  const ids = [id as string, ...(await sendMany(count - 1)).sort()];
  return { digits, conversation_id: conversation_id as string, ids, send, sendMany };
}

for (const locale of ['en', 'ar']) {
  describe(`the thread in ${locale}`, () => {
    it('loads older messages on demand and keeps what is in view at its place', async () => {
      const { conversation_id, ids } = await longThread(130);
      const { page, troubles } = await open(`/${conversation_id}`, locale);
      await bubble(page, ids.at(-1)!).waitFor();
      const feed = page.locator('[role=feed]');
      // The older ones come when the wheel is at rest.
      const rest = Promise.withResolvers<void>();
      let held = 0;
      await page.route(/before=/, async (route) => {
        held++;
        await rest.promise;
        await route.continue();
      });
      await eventually(
        async () => {
          await feed.hover();
          await page.mouse.wheel(0, -400);
          return held;
        },
        (count) => count > 0,
      );
      await untilStill(page);
      // Whatever is in view stays where it is while they come.
      const inView = await page.evaluate(`(() => {
        const feed = document.querySelector('[role=feed]').getBoundingClientRect();
        const line = [...document.querySelectorAll('article[data-id]')].find((one) => one.getBoundingClientRect().top > feed.top + 150);
        return line.dataset.id;
      })()`);
      const before = await topOf(page, inView as string);
      const shown = await page.locator('article[data-id]').count();
      rest.resolve();
      await eventually(
        () => page.locator('article[data-id]').count(),
        (count) => count > shown,
      );
      await untilStill(page);
      const now = await topOf(page, inView as string);
      assert.ok(Math.abs(now! - before!) <= 2, `${before} became ${now}`);
      await eventually(
        async () => {
          await page.mouse.wheel(0, -1_000);
          return bubble(page, ids[0]!).isVisible();
        },
        (isVisible) => isVisible,
      );
      assert.deepEqual(troubles, []);
      await page.context().close();
    });

    it('fills a small screen, and keeps room for a message at a zoom of 400 %', async () => {
      const { conversation_id, ids } = await longThread(14);
      const { page, context } = await open(`/${conversation_id}`, locale);
      await bubble(page, ids.at(-1)!).waitFor();
      await page.locator('textarea:read-write').waitFor();
      const height = () => page.evaluate('document.documentElement.scrollHeight');
      await page.setViewportSize({ width: 360, height: 740 });
      await eventually(height, (px) => px === 740);
      await page.setViewportSize({ width: 320, height: 256 });
      await eventually(
        () => page.locator('[role=feed]').evaluate((feed) => feed.clientHeight),
        (px) => px >= 150,
      );
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
      // Everything below can be scrolled to.
      await page.locator('section[data-mode]').evaluate((composer) => composer.scrollIntoView({ block: 'end' }));
      const { y, height: high } = (await page.locator('section[data-mode]').boundingBox())!;
      assert.ok(y + high <= 257, `the composer ends at ${y + high}`);
      await context.close();
    });

    it('names the day over the lines only once somebody moves up', async () => {
      const { conversation_id, ids } = await longThread(60);
      const { page, context } = await open(`/${conversation_id}`, locale);
      const day = page.locator('[class*=top] [class*=day][data-shown]');
      await context.addInitScript(`{
        globalThis.hasShown = false;
        new MutationObserver(() => (hasShown ||= document.querySelector('[class*=top] [class*=day][data-shown]') !== null))
          .observe(document, { subtree: true, childList: true, attributes: true });
      }`);
      await page.reload();
      await bubble(page, ids.at(-1)!).waitFor();
      await page.locator('textarea:read-write').waitFor();
      await atEnd(page);
      await untilStill(page);
      assert.equal(await page.evaluate('hasShown'), false);
      await page.locator('[role=feed]').hover();
      await page.mouse.wheel(0, -600);
      await day.waitFor();
      await context.close();
    });

    it('opens at its newest message, and obeys the first turn of the wheel', async () => {
      // A short thread, which is just higher than its place, and a long one.
      for (const count of [14, 60]) {
        const { conversation_id, ids } = await longThread(count);
        for (const reducedMotion of ['reduce', 'no-preference'] as const) {
          const { page, context } = await open(`/${conversation_id}`, locale, { reducedMotion });
          await bubble(page, ids.at(-1)!).waitFor();
          await page.locator('[role=feed]').hover();
          // It gives the thread another height when it comes.
          await page.locator('textarea:read-write').waitFor();
          await atEnd(page);
          await page.mouse.wheel(0, -150);
          await eventually(
            () => leftBelow(page),
            (left) => left > 100,
          );
          await untilStill(page);
          const left = await leftBelow(page);
          assert.ok(left > 100 && left < 200, `${left} px are below the view of ${count} lines`);
          await context.close();
        }
      }
    });

    it('does not move while messages arrive and somebody reads further up', async () => {
      const { digits, conversation_id, ids } = await longThread(40);
      const { page } = await open(`/${conversation_id}`, locale);
      await bubble(page, ids.at(-1)!).waitFor();
      await page.locator('[role=feed]').hover();
      await page.locator('textarea:read-write').waitFor();
      await atEnd(page);
      await page.mouse.wheel(0, -900);
      await eventually(
        () => leftBelow(page),
        (left) => left > 600,
      );
      await untilStill(page);
      const shown = await eventually(
        async () =>
          page.evaluate(`(() => {
            const feed = document.querySelector('[role=feed]').getBoundingClientRect();
            return [...document.querySelectorAll('article[data-id]')]
              .find((one) => one.getBoundingClientRect().top > feed.top + 50)?.dataset.id;
          })()`) as Promise<string>,
        (id) => id !== undefined && id !== ids.at(-1),
      );
      const before = await topOf(page, shown);
      const arrived = await receive(digits, 'text', 'Are you there?');
      await page.getByRole('button', { name: locale === 'en' ? /1 new message/ : /رسالة جديدة/ }).waitFor();
      await untilStill(page);
      const now = await topOf(page, shown);
      assert.ok(Math.abs(now! - before!) <= 2, `${before} became ${now}`);
      await page.getByRole('button', { name: locale === 'en' ? /1 new message/ : /رسالة جديدة/ }).click();
      await bubble(page, arrived.id).waitFor();
      await page.context().close();
    });

    it('moves by keys to messages that were never drawn', async () => {
      const { conversation_id, ids } = await longThread(48);
      const { page } = await open(`/${conversation_id}`, locale);
      await bubble(page, ids.at(-1)!).waitFor();
      await bubble(page, ids.at(-1)!).focus();
      for (const [key, at] of [
        ['Home', 0],
        ['ArrowDown', 1],
        ['End', -1],
        ['ArrowUp', -2],
      ] as const) {
        await page.keyboard.press(key);
        await page.locator(`[data-id="${ids.at(at)}"]:focus`).waitFor();
      }
      await page.context().close();
    });

    it('jumps to a quoted message that is far back, and marks it', async () => {
      const { conversation_id, ids, send } = await longThread(130);
      const { body: answer } = await send('About your first line', { reply_to_id: ids[0] });
      const { page } = await open(`/${conversation_id}`, locale);
      await bubble(page, answer.id)
        .getByRole('button', { name: locale === 'en' ? /quoted/ : /المقتبسة/ })
        .click();
      await page.locator(`article[data-id="${ids[0]}"][data-flash]`).waitFor();
      await eventually(
        () => bubble(page, ids[0]!).isVisible(),
        (isVisible) => isVisible,
      );
      await page.context().close();
    });

    it('takes a press in the moment in which the thread moves', async () => {
      const { conversation_id, ids, send } = await longThread(40);
      const { body: answer } = await send('About your first line', { reply_to_id: ids[0] });
      const { page } = await open(`/${conversation_id}`, locale);
      const quote = bubble(page, answer.id).getByRole('button', { name: locale === 'en' ? /quoted/ : /المقتبسة/ });
      await page.locator('textarea:read-write').waitFor();
      await atEnd(page);
      await untilStill(page);
      const { x, y, width, height } = (await quote.boundingBox())!;
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      await page.evaluate(`new Promise((drawn) => {
        const feed = document.querySelector('[role=feed]');
        let frames = 0;
        let isPressed = false;
        addEventListener('click', () => (isPressed = true), { capture: true, once: true });
        requestAnimationFrame(function move() {
          if (isPressed) return;
          feed.scrollTop += frames % 2 === 0 ? -4 : 4;
          if (++frames === 10) drawn();
          requestAnimationFrame(move);
        });
      })`);
      await page.mouse.up();
      await page.locator(`article[data-id="${ids[0]}"][data-flash]`).waitFor();
      await page.context().close();
    });

    it('opens a found message in place, with its hits marked, and keeps the results', async () => {
      const { conversation_id, ids, send, sendMany } = await longThread(70);
      const { body: early } = await send(`Marigold${locale} يا أحمد <b>bold</b>`);
      await sendMany(70);
      const { page, troubles } = await open('', locale);
      await page.getByRole('searchbox').fill(`marigold${locale} احمد`);
      const hit = page.locator(`a[href*="message=${early.id}"]`);
      await hit.waitFor();
      assert.deepEqual(await hit.locator('mark').allInnerTexts(), [`Marigold${locale}`, 'أحمد']);
      assert.equal(await hit.locator('b').count(), 0);
      await page.getByRole('searchbox').press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.locator(`article[data-id="${early.id}"][data-flash]`).waitFor();
      assert.ok(page.url().includes(conversation_id));
      assert.ok(await hit.isVisible());
      await untilStill(page);
      const box = await bubble(page, early.id).boundingBox();
      assert.ok(box && box.y > 50 && box.y < 750, JSON.stringify(box));
      assert.equal(await bubble(page, ids[0]!).isVisible(), false);
      assert.deepEqual(troubles, []);
      await page.context().close();
    });

    it('says that the message of an address is gone, and stands at the newest where all has room', async () => {
      const { conversation_id, ids } = await longThread(2);
      const { ids: others } = await longThread(1);
      const { page } = await open(`/${conversation_id}?message=${others[0]}`, locale);
      await page.getByText(locale === 'en' ? 'This message is not there any more.' : 'لم تعد هذه الرسالة').waitFor();
      await page.waitForURL((url) => url.search === '');
      await bubble(page, ids[1]!).waitFor();
      const toNewest = page.getByRole('button', { name: locale === 'en' ? /newest message/ : /أحدث رسالة/ });
      await toNewest.waitFor({ state: 'detached' });
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${conversation_id}?message=${ids[0]}`);
      await page.locator(`article[data-id="${ids[0]}"][data-flash]`).waitFor();
      await toNewest.waitFor({ state: 'detached' });
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${conversation_id.slice(0, -4)}0000`);
      await page.getByText(locale === 'en' ? 'or you may not see it' : 'أو لم يعد بإمكانك').waitFor();
      await page.getByRole('button', { name: locale === 'en' ? 'Back' : 'رجوع', exact: true }).click();
      await page.waitForURL(/inbox$/);
      await page.context().close();
    });

    it('searches notes, what the customer wrote, and what we wrote', async () => {
      const found = await receive(newDigits(), 'text', `Orchid${locale} from them`);
      const path = `/conversations/${found.conversation_id}`;
      await owner.at('POST', `${path}/notes`, { body: `Orchid${locale} between us` });
      await owner.at('POST', `${path}/messages`, { kind: 'text', body: `Orchid${locale} from us` });
      const { page } = await open('', locale);
      await page.getByRole('searchbox').fill(`orchid${locale}`);
      const results = page.locator('a[href*="message="]');
      const shown = (count: number) =>
        eventually(
          () => results.count(),
          (now) => now === count,
        );
      await shown(3);
      const choose = async (name: RegExp, option: string) => {
        await page.getByRole('button', { name }).first().click();
        await page.getByRole('option', { name: option, exact: true }).click();
      };
      const words =
        locale === 'en'
          ? { author: /Written by/, notes: 'Notes', them: 'From the customer' }
          : { author: /كاتب الرسالة/, notes: 'الملاحظات', them: 'من العميل' };
      await choose(words.author, words.notes);
      await shown(1);
      assert.match(await results.first().innerText(), /between us/);
      await choose(words.author, words.them);
      await eventually(
        () => results.first().innerText(),
        (text) => text.includes('from them'),
      );
      await page.context().close();
    });

    it('says why a message failed and what to do, and sends it again where that can help', async () => {
      const unreachable = await receive('96890131026', 'text', `Hello ${locale}`);
      const blocked = await receive(newDigits(), 'text', `Hello ${locale}`);
      const write = async ({ conversation_id }: { conversation_id: string }) =>
        (await owner.at('POST', `/conversations/${conversation_id}/messages`, { kind: 'text', body: 'Once more' })).body
          .id as string;
      const failed = await write(unreachable);
      await majlis.sql(`insert into job_groups select 'messages.deliver_message', id, 'infinity' from channels`);
      const late = await write(blocked);
      await owner.at('PATCH', `/contacts/${blocked.actor_id}`, { blocked: true });
      await majlis.sql('delete from job_groups');
      await owner.at('GET', `/messages/${late}`);
      const { page, troubles } = await open(`/${unreachable.conversation_id}`, locale);
      const words =
        locale === 'en'
          ? { number: /may not use the app/, again: 'Send again' }
          : { number: /الرقم/, again: 'إعادة الإرسال' };
      await bubble(page, failed).getByText(words.number).first().waitFor();
      assert.equal(await bubble(page, failed).getByRole('button', { name: words.again }).count(), 0);
      await eventually(
        async () => (await owner.at('GET', `/messages/${late}`)).body.status,
        (status) => status === 'failed',
      );
      await owner.at('PATCH', `/contacts/${blocked.actor_id}`, { blocked: false });
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${blocked.conversation_id}`);
      await bubble(page, late).getByRole('button', { name: words.again }).click();
      await eventually(
        async () => (await owner.at('GET', `/conversations/${blocked.conversation_id}/thread`)).body.data,
        (items) => items.filter(({ body }: { body?: string }) => body === 'Once more').length === 2,
      );
      assert.deepEqual(troubles, []);
      await page.context().close();
    });

    it('tells what happened to a message', async () => {
      const { conversation_id } = await receive(newDigits(), 'text', 'Hello');
      const { body: sent } = await owner.at('POST', `/conversations/${conversation_id}/messages`, {
        kind: 'text',
        body: 'Once',
      });
      await eventually(
        async () => (await owner.at('GET', `/messages/${sent.id}`)).body.status,
        (status) => status === 'read',
      );
      const { page, troubles } = await open(`/${conversation_id}`, locale);
      await bubble(page, sent.id).hover();
      await bubble(page, sent.id)
        .getByRole('button', { name: locale === 'en' ? 'More actions' : 'إجراءات أخرى' })
        .click();
      await page.getByRole('menuitem', { name: locale === 'en' ? 'What happened to it' : 'ما الذي حدث لها' }).click();
      const steps = page.getByRole('dialog').locator('li[data-step]');
      await steps.first().waitFor();
      const named = await steps.evaluateAll((all) => all.map((one) => one.getAttribute('data-step')));
      assert.equal(named[0], 'accepted');
      assert.ok(named.includes('allowed_in_window') && named.includes('read'), String(named));
      assert.match(await steps.first().innerText(), /Aisha/);
      assert.ok(!(await page.getByRole('dialog').innerText()).includes('timeline.'));
      assert.deepEqual(troubles, []);
      await page.context().close();
    });

    it('shows hostile texts as they are, in the thread, the list and the search', async () => {
      const hostile = [
        '<script>document.title = "gone"</script>',
        '<img src=x onerror="document.title=1">',
        '<svg onload="document.title=1"><a xlink:href="javascript:alert(1)">x</a></svg>',
        'javascript:alert(1) data:text/html,<script>1</script>',
        '{{constructor.constructor("return document")()}} $' + '{document.title}',
        '\u202Ereversed\u202C \u2067isolated\u2069',
      ];
      const digits = newDigits();
      const marked = (text: string) => `hostile${locale} ${text}`;
      const ids: string[] = [];
      let conversation_id = '';
      for (const text of hostile) {
        const message = await receive(digits, 'text', marked(text));
        ids.push(message.id);
        conversation_id = message.conversation_id;
      }
      const { page, troubles } = await open(`/${conversation_id}`, locale);
      await page.evaluate(
        `addEventListener('securitypolicyviolation', () => { window.violations = (window.violations ?? 0) + 1; })`,
      );
      for (const [n, id] of ids.entries()) {
        const text = await bubble(page, id).innerText();
        if (n < 5) assert.ok(text.includes(hostile[n]!), text);
        assert.equal(await bubble(page, id).locator('script, img, svg[onload], a[href^="javascript:"]').count(), 0);
      }
      await page.getByRole('searchbox').fill(`hostile${locale}`);
      const results = page.locator('a[href*="message="]');
      await eventually(
        () => results.count(),
        (count) => count === hostile.length,
      );
      assert.equal(await results.locator('script, img').count(), 0);
      assert.equal(await page.evaluate('window.violations ?? 0'), 0);
      assert.notEqual(await page.title(), 'gone');
      assert.deepEqual(troubles, []);
      await page.context().close();
    });
  });
}
