import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InboxRow } from '@majlis/console-api';
import { drip } from '@majlis/testing/drip';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { pressWhileScrolling } from '@majlis/testing/press-while-scrolling';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import { whileHeld } from '@majlis/testing/while-held';
import type { BrowserContextOptions, Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);
const pages = await openPages(majlis);

const writes = (handle: string, name: string, text = `from ${name}`) =>
  postNotification(majlis, workspace, {
    contacts: [{ profile: { name }, wa_id: handle }],
    messages: [platformText(handle, text)],
  });

async function openInbox(person: Member = owner, place = '', options: BrowserContextOptions = {}): Promise<Page> {
  const path = `/w/${workspace.id}/inbox${place}`;
  const { page } = await openSignedIn(pages, { url: majlis.url, member: person, path }, options);
  return page;
}

interface Sides {
  left: number;
  right: number;
}

/** A whole proof takes 500. */
const clicks = Number(process.env.CONSOLE_CLICKS ?? 150);
// Less than the two seconds for which a pointer that rests holds the rows.
const restMs = 1_800;

const rows = (page: Page) => page.locator('main li a[data-id]');
const row = (page: Page, name: string) => rows(page).filter({ hasText: name });

interface Reading {
  isWhole: boolean;
  handles: (string | undefined)[];
  /** Of the page. */
  count: number;
}

/** The readings of the list from now on. */
function gatherReadings(page: Page): Reading[] {
  const read: Reading[] = [];
  page.on('response', async (response) => {
    const { pathname, searchParams } = new URL(response.url());
    if (!pathname.endsWith('/inbox')) return;
    const { data, ids } = (await response.json()) as { data: InboxRow[]; ids?: string[] };
    const handles = data.map(({ conversation }) => conversation.contact_handle);
    read.push({ isWhole: searchParams.get('rows_of') === null, handles, count: ids?.length ?? 0 });
  });
  return read;
}

describe('the list of conversations', () => {
  for (const [locale, name] of [
    ['ar', 'Maximiliana Featherstonehaugh-Cholmondeley of the Northern Provinces'],
    ['en', 'عبد الرحمن بن عبد العزيز بن سليمان آل الشيخ الهنائي المسكري الكبير'],
  ] as const) {
    it(`shows the beginning of a name of the other direction, in ${locale}`, async () => {
      await writes(newDigits(), name);
      const page = await openInbox(owner, '', { locale });
      await row(page, name).waitFor();
      const [first, last, box] = (await row(page, name).evaluate((link) => {
        const text = link.querySelector('bdi')!.firstChild!;
        const sides = (from: number) => {
          const range = link.ownerDocument.createRange();
          range.setStart(text, from);
          range.setEnd(text, from + 1);
          const { left, right } = range.getBoundingClientRect();
          return { left, right };
        };
        const { left, right } = link.querySelector('bdi')!.getBoundingClientRect();
        return [sides(0), sides(text.textContent!.length - 1), { left, right }];
      })) as [Sides, Sides, Sides];
      const isInside = ({ left, right }: Sides) => left >= box.left - 1 && right <= box.right + 1;
      assert.deepEqual([isInside(first), isInside(last)], [true, false], JSON.stringify([first, last, box]));
      await page.context().close();
    });

    it(`lets a short name of the other direction stand where a line begins, in ${locale}`, async () => {
      const [short] = name.split(' ') as [string];
      const handle = newDigits();
      await writes(handle, short, handle);
      const page = await openInbox(owner, '', { locale });
      await row(page, handle).waitFor();
      const [own, preview] = (await row(page, handle).evaluate((link) =>
        ['bdi', '[class*=second]'].map((one) => {
          const { left, right } = link.querySelector(one)!.getBoundingClientRect();
          return { left, right };
        }),
      )) as [Sides, Sides];
      const side = locale === 'ar' ? 'right' : 'left';
      assert.ok(Math.abs(own[side] - preview[side]) < 2, JSON.stringify([own, preview]));
      await page.context().close();
    });
  }

  it('moves the row of a message by its event alone, and one that it never met', async () => {
    const [first, second, third] = [newDigits(), newDigits(), newDigits()];
    for (const handle of [first, second]) await writes(handle, handle);
    const page = await openInbox();
    for (const handle of [first, second]) await row(page, handle).waitFor();
    const read = gatherReadings(page);
    const topIs = (...texts: string[]) =>
      eventually(
        () => rows(page).first().innerText(),
        (text) => texts.every((one) => text.includes(one)),
      );
    await writes(first, first, 'moved');
    await topIs(first, 'moved');
    await writes(third, third, 'never met');
    await topIs(third, 'never met');
    // A closing takes it away.
    const [{ id }] = (await owner.at('GET', `/conversations?q=${third}`)).body.data;
    await owner.at('POST', `/conversations/${id}/close`, {});
    await row(page, third).waitFor({ state: 'detached' });
    await topIs(first, 'moved');
    assert.deepEqual(read, []);
    await page.context().close();
  });

  it('reads the rows that have changed, and the order of all, where many change at once', async () => {
    const handles = Array.from({ length: 24 }, () => newDigits());
    for (const handle of handles) await writes(handle, handle);
    // So high that all of them are drawn.
    const page = await openInbox(owner, '', { viewport: { width: 1280, height: 2_400 } });
    for (const handle of handles) await row(page, handle).waitFor();
    const read = gatherReadings(page);
    const late = handles.slice(0, 21);
    await whileHeld(majlis, 'select from live_feed for update', async () => {
      for (const handle of late) await writes(handle, handle, `late ${handle}`);
      // All of them are stored before the first one is told.
      await eventually(
        () => majlis.sql("select from messages where body like 'late %'"),
        ({ length }) => length === late.length,
      );
    });
    for (const handle of late) await row(page, `late ${handle}`).waitFor();
    await eventually(
      () => read.length,
      (length) => length > 0,
    );
    for (const { isWhole, handles: told, count } of read) {
      assert.ok(!isWhole && told.length < count, JSON.stringify({ isWhole, told, count }));
    }
    await page.context().close();
  });

  for (const [locale, say] of [
    [
      'en',
      {
        you: 'You:',
        left: /^1 h \d\d? min$/,
        sent: /^(Waiting|Sent|Delivered|Read|Not sent)$/,
        bot: 'Bot',
        app: 'Chat app',
      },
    ],
    [
      'ar',
      {
        you: 'أنت:',
        left: /^1 س \d\d? د$/,
        sent: /^(في الانتظار|أُرسلت|وصلت|قُرئت|لم تُرسل)$/,
        bot: 'روبوت',
        app: 'تطبيق الدردشة',
      },
    ],
  ] as const) {
    it(`shows who wrote last and how far it came, tags, channel, holder and the end of the window, in ${locale}`, async () => {
      const handle = newDigits();
      const name = `Sa${handle.slice(-4)}`;
      await writes(handle, name);
      const [{ id, contact_id }] = await eventually(
        async () => (await owner.at('GET', `/conversations?q=${name}`)).body.data,
        (found) => found.length === 1,
      );
      await owner.at('PATCH', `/contacts/${contact_id}`, {
        tags: ['gold', 'a tag that is much too long for a narrow row'],
      });
      const omar = await joinWorkspace(majlis, workspace, { name: 'Omar Said' });
      const page = await openInbox(owner, '', { locale });
      await omar.at('POST', `/conversations/${id}/messages`, { kind: 'text', body: 'We come at five.' });
      await row(page, name).getByText('Omar:').waitFor();
      await row(page, name).getByRole('img', { name: say.sent }).waitFor();
      await owner.at('POST', `/conversations/${id}/messages`, { kind: 'text', body: 'Or at six.' });
      await row(page, name).getByText(say.you).waitFor();
      await row(page, name).getByText(say.app).waitFor();
      const tags = row(page, name).locator('[class*=tags] bdi');
      const line = (await row(page, name).locator('[class*=tags]').boundingBox())!;
      const [gold, long] = await Promise.all([tags.first().boundingBox(), tags.last().boundingBox()]);
      assert.ok(gold!.y < line.y + line.height && gold!.x >= line.x, 'the tag that fits is seen');
      assert.ok(long!.y >= line.y + line.height || long!.x + long!.width <= line.x + line.width + 1, 'no tag is cut');
      assert.equal(await row(page, name).getByText(say.left).count(), 0);
      await majlis.sql(`update conversations set window_expires_at = now() + interval '90 minutes', controller = 'bot'
        where last_message_at = (select max(last_message_at) from conversations)`);
      await page.reload();
      await row(page, name).getByText(say.left).waitFor();
      await row(page, name).getByText(say.bot, { exact: true }).waitFor({ state: 'attached' });
      await page.context().close();
    });
  }

  it('shows no part of a tag for which a long name leaves no room', async () => {
    const handle = newDigits();
    const name = 'Abdulrahman bin Mohammed bin Khalfan Al Harthy';
    await writes(handle, name);
    const [{ contact_id }] = await eventually(
      async () => (await owner.at('GET', `/conversations?q=Khalfan`)).body.data,
      (found) => found.length === 1,
    );
    await owner.at('PATCH', `/contacts/${contact_id}`, { tags: ['wholesale'] });
    const page = await openInbox(owner, '', { viewport: { width: 360, height: 740 } });
    const tag = row(page, name).locator('[class*=tags] bdi');
    await tag.waitFor({ state: 'attached' });
    const line = (await row(page, name).locator('[class*=tags]').boundingBox())!;
    const { y } = (await tag.boundingBox())!;
    assert.ok(y >= line.y + line.height, `the tag is cut: ${y}, ${JSON.stringify(line)}`);
    await page.context().close();
  });

  it('opens the row that is pressed in the moment in which the list scrolls', async () => {
    const customers = Array.from({ length: 24 }, (_, n) => ({ handle: newDigits(), name: `Caller ${n} of 24` }));
    for (const { handle, name } of customers) await writes(handle, name);
    const page = await openInbox();
    await row(page, 'Caller 23 of 24').waitFor();
    const link = row(page, 'Caller 20 of 24');
    const id = await link.getAttribute('data-id');
    await pressWhileScrolling(page, link);
    await page.waitForURL((url) => url.pathname.endsWith(`/${id}`));
    await page.context().close();
  });

  it('opens the row under the pointer while customers reorder the list', async () => {
    const customers = Array.from({ length: 30 }, (_, n) => ({ handle: newDigits(), name: `Customer ${n} of 30` }));
    for (const { handle, name } of customers) await writes(handle, name);
    const page = await openInbox();
    // The time of the row follows its name without a space: a bare "Customer 29" is "Customer 2" at 9:44, too.
    await row(page, 'Customer 29 of 30').waitFor();
    let written = 0;
    drip(() => {
      const { handle, name } = customers[(written++ * 7) % customers.length]!;
      void writes(handle, name, `message ${written}`);
    }, 50);
    const orders = new Set<string>();
    const wrong: string[] = [];
    let inTime = 0;
    const list = (await page.locator('main ul').boundingBox())!;
    for (let click = 0; click < clicks; click++) {
      // The list may follow the service in the moments in which nobody is about to press.
      if (click % 10 === 0) {
        const before = await rows(page).first().innerText();
        await page.mouse.move(900, 400);
        await eventually(
          () => rows(page).first().innerText(),
          (text) => text !== before,
        );
        orders.add(
          `${await rows(page).evaluateAll((links) => links.map((link) => (link as { dataset?: { id: string } }).dataset!.id))}`,
        );
      }
      const from = performance.now();
      await page.mouse.move(list.x + 100, 200 + ((click * 131) % 580));
      const seen = await page.evaluate(`document.querySelector('main li a:hover').dataset.id`);
      const before = page.url();
      await page.mouse.down();
      await page.mouse.up();
      const pressed = performance.now();
      // Another address than before is the answer to the press, however late it comes.
      const opened = await eventually(
        () => page.url(),
        (address) => address !== before || new URL(address).pathname.endsWith(`/${seen}`),
      );
      // A pointer that rested for longer holds the rows no more: the press came too late on a busy machine.
      if (pressed - from >= restMs) continue;
      inTime++;
      if (!new URL(opened).pathname.endsWith(`/${seen}`)) wrong.push(`${seen} ${opened}`);
    }
    assert.deepEqual(wrong, []);
    assert.ok(inTime > clicks / 2, `${inTime} presses of ${clicks} came in time`);
    assert.ok(orders.size > 10, `the list had ${orders.size} orders`);
    await page.context().close();
  });
});
