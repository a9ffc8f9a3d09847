import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn } from '@majlis/testing/drawn';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { samples } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { signInByForm } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import { addPicturedTemplate } from '@majlis/testing/templates';
import type { Locator, Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace, { name: 'Sara' });
await addPicturedTemplate(majlis, workspace);
const pages = await openPages(majlis);
const dropped = {
  en: 'A conversation was deleted, or you may not see it any more. What you had begun in it was dropped.',
  ar: 'حُذفت محادثة، أو لم يعد بإمكانك رؤيتها. وأُلغي ما كنت قد بدأته فيها.',
};

const receive = async () => (await receiveMessage(majlis, workspace, newDigits())).conversation_id;

async function open(locale: 'en' | 'ar' = 'en') {
  const conversation_id = await receive();
  const member = await joinWorkspace(majlis, workspace, { name: 'Huda Ali', role: 'agent' });
  const opened = await openComposer(pages, { url: majlis.url, workspace, member, conversation_id }, { locale });
  const { page, words } = opened;
  const items = page.getByRole('list', { name: words.attachments }).getByRole('listitem');
  const tool = (name: string) => page.getByRole('toolbar').getByRole('button', { name, exact: true });
  const attach = (name: string) => choose(page, tool(words.attach), name);
  const value = page.getByRole('textbox', { name: words.template_value(1) });
  const openMore = async (name: string) => {
    await tool(words.more).click();
    await page.getByRole('menuitem', { name }).click();
  };
  const openTemplate = async (name: string) => {
    await tool(words.templates).click();
    await page.getByRole('row', { name }).click();
  };
  return { ...opened, conversation_id, member, items, tool, attach, value, openMore, openTemplate };
}

const assign = (conversation_id: string, { user_id }: Member) =>
  owner.at('POST', `/conversations/${conversation_id}/assign`, { assignee_id: user_id });

/** As `open`, of a person who sees the conversation as long as it is theirs. */
async function openOwn(locale?: 'en' | 'ar') {
  const opened = await open(locale);
  const { page, conversation_id, member } = opened;
  await owner.at('PATCH', `/members/${member.user_id}`, { own_teams_only: true });
  await assign(conversation_id, member);
  await page.reload();
  await page.locator('textarea:read-write').waitFor();
  return { ...opened, takeAway: () => assign(conversation_id, owner) };
}

/** Chooses a picture as the picker of the system answers it. */
async function choose(page: Page, button: Locator, name: string): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  await button.click();
  await (await chosen).setFiles({ name, mimeType: 'image/png', buffer: samples.png });
}

/** From here on, uploads wait until they are let go. */
async function holdUploads(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/media', async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const endSessions = ({ email }: Member) =>
  majlis.sql('delete from sessions where person_id = (select id from people where email = $1)', [email]);

async function signIn(page: Page, member: Member): Promise<void> {
  await signInByForm(page, member);
  await page.locator('section[data-composer]').waitFor();
}

/** Opens another conversation and comes back. */
async function goAway(page: Page, conversation_id: string): Promise<void> {
  const row = (id: string) => page.locator(`main li a[data-id="${id}"]`);
  const other = await receive();
  await row(other).click();
  await page.locator(`section[data-composer="${other}"]`).waitFor();
  await row(conversation_id).click();
  await page.locator(`section[data-composer="${conversation_id}"]`).waitFor();
}

describe('after the end of their session, the same person finds', () => {
  it('the files that they attached, and those on their way are uploaded', async () => {
    const { page, words, member, items, attach, context } = await open();
    await attach('one.png');
    await items.nth(0).getByText(words.ready).waitFor();
    const letGo = await holdUploads(page);
    await attach('two.png');
    await items.nth(1).waitFor();
    await endSessions(member);
    await page.locator('input[type=password]').waitFor();
    letGo();
    await signIn(page, member);
    for (const [n, name] of ['one.png', 'two.png'].entries())
      await items.nth(n).filter({ hasText: name }).getByText(words.ready).waitFor();
    await context.close();
  });

  it('the file whose upload is what learns of the end', async () => {
    const { page, words, member, items, attach, context } = await open();
    const letGo = await holdUploads(page);
    await attach('one.png');
    await items.first().waitFor();
    // The stream tells nothing of the end.
    await page.route('**/stream*', (route) => route.abort());
    await endSessions(member);
    letGo();
    await signIn(page, member);
    await items.first().getByText(words.ready).waitFor();
    await context.close();
  });

  it('the values of a template, and nobody else does', async () => {
    const { page, member, value, attach, items, openTemplate, context } = await open();
    await attach('hers.png');
    await items.first().waitFor();
    await openTemplate('order_update');
    await value.fill('A-17');
    await endSessions(member);
    await signIn(page, member);
    assert.equal(await value.inputValue(), 'A-17');
    await endSessions(member);
    await signIn(page, await joinWorkspace(majlis, workspace, { name: 'Omar' }));
    await page.locator('textarea:read-write').waitFor();
    await drawn(page);
    assert.deepEqual([await value.count(), await items.count()], [0, 0]);
    await context.close();
  });
});

describe('another conversation, or a look at the notes, takes away nothing of', () => {
  it('a template that is filled in, with the file of its header', async () => {
    const { page, words, conversation_id, value, openTemplate, context, troubles } = await open();
    await openTemplate('pictured');
    await value.fill('the sofa');
    const letGo = await holdUploads(page);
    await choose(page, page.getByRole('button', { name: 'Choose a file' }), 'sofa.png');
    await page.getByRole('progressbar', { name: 'sofa.png' }).waitFor();
    await goAway(page, conversation_id);
    assert.equal(await value.inputValue(), 'the sofa');
    letGo();
    const send = page.getByRole('button', { name: words.template_send });
    await eventually(
      () => send.isDisabled(),
      (isDisabled) => !isDisabled,
    );
    await page.getByRole('tab', { name: words.note }).click();
    await value.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: words.reply }).click();
    assert.equal(await value.inputValue(), 'the sofa');
    assert.equal(await send.isDisabled(), false);
    assert.deepEqual(troubles, []);
    await context.close();
  });

  it('a location, or a message with choices', async () => {
    const { page, words, conversation_id, openMore, context, troubles } = await open();
    const messages = [
      { title: words.location, field: page.getByRole('textbox', { name: words.place_name, exact: true }) },
      { title: words.interactive, field: page.getByRole('textbox', { name: words.choice(1), exact: true }) },
    ];
    for (const { title, field } of messages) {
      await openMore(title);
      await field.fill('Muscat');
      await goAway(page, conversation_id);
      assert.equal(await field.inputValue(), 'Muscat');
      await page.keyboard.press('Escape');
    }
    assert.deepEqual(troubles, []);
    await context.close();
  });
});

describe('a file that they attach meanwhile takes away nothing of', () => {
  it('a template that is filled in, which stands in its panel again', async () => {
    const { words, value, tool, attach, items, openTemplate, context } = await open();
    await openTemplate('order_update');
    await value.fill('A-17');
    await attach('one.png');
    await items.first().getByText(words.ready).waitFor();
    await tool(words.templates).click();
    assert.equal(await value.inputValue(), 'A-17');
    await context.close();
  });
});

describe('a template that is merely chosen', () => {
  it('is no message that they began: its tool opens the list again', async () => {
    const { page, words, value, tool, openMore, openTemplate, context } = await open();
    await openTemplate('order_update');
    await value.waitFor();
    await openMore(words.location);
    await page.getByRole('textbox', { name: words.place_name, exact: true }).waitFor();
    await tool(words.templates).click();
    await page.getByRole('row', { name: 'order_update' }).or(value).waitFor();
    assert.equal(await value.count(), 0);
    await context.close();
  });

  it('keeps its file, though no value is written', async () => {
    const { page, words, tool, openMore, openTemplate, context } = await open();
    await openTemplate('pictured');
    await choose(page, page.getByRole('button', { name: 'Choose a file' }), 'sofa.png');
    await openMore(words.location);
    await page.getByRole('textbox', { name: words.place_name, exact: true }).waitFor();
    await tool(words.templates).click();
    await page.getByText('sofa.png').waitFor();
    await context.close();
  });
});

describe('a message that comes back because its send is refused', () => {
  it('takes away nothing of the one that is written by then', async () => {
    const { page, words, openMore, context } = await open();
    const name = page.getByRole('textbox', { name: words.place_name, exact: true });
    const send = page.getByRole('button', { name: words.send, exact: true });
    const refusal = Promise.withResolvers<void>();
    await page.route('**/messages', async (route) => {
      await refusal.promise;
      await route.fulfill({ status: 409, json: { code: 'contact_blocked' } });
    });
    await openMore(words.location);
    await page.getByRole('textbox', { name: words.coordinates, exact: true }).fill('23.588, 58.382');
    await name.fill('Muscat');
    await send.click();
    await name.waitFor({ state: 'detached' });
    await openMore(words.location);
    await name.fill('Sohar');
    refusal.resolve();
    await page.getByRole('alert').waitFor();
    assert.equal(await name.inputValue(), 'Muscat');
    await name.press('Escape');
    await openMore(words.location);
    assert.equal(await name.inputValue(), 'Sohar');
    await context.close();
  });
});

describe('a template whose send is refused has again', () => {
  it('the file of its header', async () => {
    const { page, words, conversation_id, value, openTemplate, context } = await open();
    await openTemplate('pictured');
    await value.fill('the sofa');
    await choose(page, page.getByRole('button', { name: 'Choose a file' }), 'sofa.png');
    const send = page.getByRole('button', { name: words.template_send });
    await page.route('**/messages', async (route) => {
      await owner.at('POST', `/conversations/${conversation_id}/close`, {});
      await route.continue();
    });
    await send.click();
    await page.getByRole('alert').waitFor();
    await page.getByText('sofa.png').waitFor();
    assert.equal(await value.inputValue(), 'the sofa');
    await context.close();
  });
});

describe('a person whose conversation is taken from their sight is told that it drops', () => {
  for (const locale of languages)
    it(`the files and the message that they began, once, in ${locale}`, async () => {
      const { page, words, attach, items, openMore, takeAway, context } = await openOwn(locale);
      await attach('one.png');
      await items.first().getByText(words.ready).waitFor();
      await openMore(words.location);
      await page.getByRole('textbox', { name: words.place_name, exact: true }).fill('Muscat');
      await takeAway();
      const told = page.getByRole('alertdialog').getByText(dropped[locale]);
      await told.waitFor();
      await drawn(page);
      assert.equal(await told.count(), 1);
      await context.close();
    });

  it('nothing of another one, in which they wrote nothing', async () => {
    const { page, words, value, member, openMore, openTemplate, takeAway, context } = await openOwn();
    const name = page.getByRole('textbox', { name: words.place_name, exact: true });
    await openMore(words.location);
    await name.fill('Muscat');
    await name.fill('');
    await openTemplate('order_update');
    await value.waitFor();
    await takeAway();
    await value.waitFor({ state: 'detached' });
    const other = await receive();
    await assign(other, member);
    await page.locator(`main li a[data-id="${other}"]`).click();
    await openMore(words.location);
    await name.fill('Sohar');
    await assign(other, owner);
    await name.waitFor({ state: 'detached' });
    const told = page.getByRole('alertdialog').getByText(dropped.en);
    await told.first().waitFor();
    await drawn(page);
    assert.equal(await told.count(), 1);
    await context.close();
  });
});
