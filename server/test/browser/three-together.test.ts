import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { type OpenedComposer, openComposer, sentTexts } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const names = ['Muna', 'Sara', 'Huda'] as const;
const people: Member[] = [];
for (const name of names) people.push(await joinWorkspace(majlis, workspace, { name: `${name} Ali` }));
const pages = await openPages(majlis);

async function openThree() {
  const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
  const at = (member: Member) => ({ url: majlis.url, workspace, member, conversation_id });
  const three: OpenedComposer[] = [];
  for (const member of people)
    three.push(await openComposer(pages, at(member), { viewport: { width: 1440, height: 900 } }));
  for (const { page } of three) await page.locator('[role=feed] [data-message]').first().waitFor();
  return { conversation_id, three, closeAll: () => Promise.all(three.map(({ context }) => context.close())) };
}

/** What stands on the screen of each: the texts of the thread, the header and the row of the list. */
const shownOn = (page: Page, id: string) =>
  page.evaluate(`JSON.stringify([
    [...document.querySelectorAll('[role=feed] [data-message] [dir=auto]')].map((one) => one.textContent),
    [...document.querySelectorAll('main h2, main header [aria-haspopup]')].map((one) => one.textContent),
    document.querySelector('main li a[data-id="${id}"]')?.querySelector('bdi')?.textContent ?? 'not listed',
  ])`) as Promise<string>;

const untilAgreed = (three: readonly OpenedComposer[], id: string, texts: readonly string[] = []) =>
  eventually(
    () => Promise.all(three.map(({ page }) => shownOn(page, id))),
    (screens) => new Set(screens).size === 1 && texts.every((text) => screens[0]!.includes(`"${text}"`)),
  );

/** Requests of these pages wait for each other: all of them reach the service in one moment. */
async function meet(three: readonly OpenedComposer[], address: RegExp): Promise<void> {
  const all = Promise.withResolvers<void>();
  let count = 0;
  for (const { page } of three) {
    await page.route(
      (url) => address.test(url.pathname),
      async (route) => {
        if (route.request().method() === 'POST') {
          count += 1;
          if (count === three.length) all.resolve();
          await all.promise;
        }
        await route.continue();
      },
    );
  }
}

describe('three people', () => {
  it('who answer in one moment decide one after the other, and each message leaves once', async () => {
    const { conversation_id, three, closeAll } = await openThree();
    for (const [n, { reply }] of three.entries()) await reply.fill(`Of ${names[n]}`);
    await meet(three, /\/messages$/);
    for (const { reply } of three) await reply.press('Enter');
    await eventually(
      () => sentTexts(workspace, conversation_id),
      (texts) => texts.length === 1,
    );
    const [first] = await sentTexts(workspace, conversation_id);
    const isFirst = (n: number) => first === `Of ${names[n]}`;
    const faster = names.findIndex((_, n) => isFirst(n));
    const held = [0, 1, 2].filter((n) => n !== faster);
    for (const n of held) await three[n]!.page.getByText(three[n]!.words.replied(names[faster]!)).waitFor();
    const press = (n: number, word: 'send_anyway' | 'show') =>
      three[n]!.page.getByRole('button', { name: three[n]!.words[word], exact: true }).click();
    // Both send at once: the service takes one, and holds the other for a reply that is newer by now.
    await Promise.all(held.map((n) => press(n, 'send_anyway')));
    await eventually(
      () => sentTexts(workspace, conversation_id),
      (texts) => texts.length === 2,
    );
    const second = (await sentTexts(workspace, conversation_id)).find((text) => text !== first)!;
    const last = held.find((n) => second !== `Of ${names[n]}`)!;
    const between = held.find((n) => n !== last)!;
    await three[last]!.page.getByText(three[last]!.words.replied(names[between]!)).waitFor();
    await press(last, 'show');
    await eventually(
      () => three[last]!.reply.inputValue(),
      (text) => text === `Of ${names[last]}`,
    );
    await three[last]!.reply.press('Enter');
    await eventually(
      () => sentTexts(workspace, conversation_id),
      (texts) => texts.length === 3,
    );
    assert.deepEqual((await sentTexts(workspace, conversation_id)).toSorted(), ['Of Huda', 'Of Muna', 'Of Sara']);
    await untilAgreed(three, conversation_id, ['Of Huda', 'Of Muna', 'Of Sara']);
    await closeAll();
  });

  it('two of whom assign while the third closes see one state', async () => {
    const { conversation_id, three, closeAll } = await openThree();
    for (const { page } of three) await page.evaluate('document.activeElement?.blur()');
    const [muna, sara, huda] = three as [OpenedComposer, OpenedComposer, OpenedComposer];
    await huda.page.keyboard.press('KeyE');
    await huda.page.getByRole('dialog').locator('button[type=submit]').waitFor();
    await meet(three, /\/(assign|close)$/);
    await Promise.all([
      muna.page.keyboard.press('Shift+KeyA'),
      sara.page.keyboard.press('Shift+KeyA'),
      huda.page.getByRole('dialog').locator('button[type=submit]').click(),
    ]);
    await eventually(
      async () => (await workspace.api.get(`/conversations/${conversation_id}`)).body,
      ({ status, assignee_id }: AnyJson) => status === 'closed' && assignee_id !== null && assignee_id !== undefined,
    );
    for (const { page, words } of three) await page.getByText(words.closed).waitFor();
    await untilAgreed(three, conversation_id);
    // A fresh read of the page shows the same.
    const before = await shownOn(muna.page, conversation_id);
    await muna.page.reload();
    await eventually(
      () => shownOn(muna.page, conversation_id),
      (screen) => screen === before,
    );
    await closeAll();
  });

  it('see who views and types, and no more of the one whose connection is cut', async () => {
    const { three, closeAll } = await openThree();
    const [muna, sara, huda] = three as [OpenedComposer, OpenedComposer, OpenedComposer];
    for (const { page } of [muna, sara]) await page.clock.install();
    await huda.reply.fill('Hel');
    for (const { page, words } of [muna, sara]) await page.getByText(words.typing_reply('Huda')).waitFor();
    await huda.context.setOffline(true);
    await majlis.advance(31);
    for (const { page, words } of [muna, sara]) {
      await page.clock.fastForward(31_000);
      await page.getByText(words.typing_reply('Huda')).waitFor({ state: 'detached' });
    }
    await sara.reply.fill('Wor');
    await muna.page.getByText(muna.words.typing_reply('Sara')).waitFor();
    await closeAll();
  });
});
