import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn } from '@majlis/testing/drawn';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { openComposer, sentTexts } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { untilProposed } from '@majlis/testing/proposals';
import { receiveMessage } from '@majlis/testing/receive-message';
import { signedIn, signInByForm } from '@majlis/testing/sign-in-pages';
import { type AgentConversation, startAgents } from '@majlis/testing/start-agents';
import type { Page } from 'playwright-core';

const { models, majlis, open, write } = await startAgents();
const pages = await openPages(majlis);

const words = {
  en: {
    ...{
      link: /proposals? wait|proposal waits/,
      title: 'Approvals',
      heading: 'Concierge proposes a reply',
      send: 'Send',
    },
    ...{ edit: 'Edit', text: 'Text of the message', mine: 'Send mine', refuse: 'Refuse', now: 'Refuse it' },
    ...{
      other: /Badr.? has approved it already/,
      overtaken: 'The customer wrote again',
      empty: 'Nothing waits for you',
    },
    ...{ closed: 'The 24-hour window has closed', approve: 'Approve the proposal' },
    ...{ taken: 'A colleague took the conversation over', toReply: 'Put it into the reply' },
    ...{ waits: 'Waits for your approval', kept: 'Has ended, and your text is kept' },
  },
  ar: {
    ...{
      link: /تنتظر موافقتك|ينتظر موافقتك|ينتظران موافقتك/,
      title: 'الموافقات',
      heading: 'يقترح Concierge ردًا',
      send: 'إرسال',
    },
    ...{ edit: 'تعديل', text: 'نص الرسالة', mine: 'أرسل نصي', refuse: 'رفض', now: 'ارفضه' },
    ...{ other: /وافق عليه .?Badr.? من قبل/, overtaken: 'كتب العميل مجددًا', empty: 'لا شيء ينتظرك' },
    ...{ closed: '24', approve: 'وافق على الاقتراح' },
    ...{ taken: 'تولّى زميل المحادثة', toReply: 'إدراجه في الرد' },
    ...{ waits: 'ينتظر موافقتك', kept: 'انتهى، ونصّك محفوظ' },
  },
};
type Locale = keyof typeof words;

const cards = (page: Page) => page.locator('article[data-proposal]');
const plain = async (text: Promise<string | null>) => (await text)!.replaceAll(/[\u2068\u2069]/g, '');

async function propose(text = 'At nine.') {
  const of = await open({ proposes: true });
  const aisha = await joinWorkspace(majlis, of.workspace, { name: 'Aisha', role: 'agent' });
  const badr = await joinWorkspace(majlis, of.workspace, { name: 'Badr', role: 'agent' });
  models.say(text);
  await write(of, 'When do you open?');
  const proposal = await untilProposed(aisha, of.conversation);
  return { of, aisha, badr, proposal };
}

async function openPage({ workspace }: AgentConversation, member: Member, locale: Locale, path: string) {
  const storageState = await signedIn(pages, majlis.url, member);
  const opened = await pages.open({ locale, storageState, viewport: { width: 1280, height: 800 } });
  await opened.page.goto(`${majlis.url}/w/${workspace.id}/${path}`);
  return opened;
}

describe('what waits for a yes', () => {
  for (const locale of languages) {
    const w = words[locale];

    it(`is counted in the inbox, live, and sent from the queue by the keyboard alone (${locale})`, async () => {
      const of = await open({ proposes: true });
      const aisha = await joinWorkspace(majlis, of.workspace, { name: 'Aisha', role: 'agent' });
      const { page, troubles } = await openPage(of, aisha, locale, 'inbox');
      await page.getByRole('heading', { level: 1 }).waitFor();
      models.say('At nine.');
      await write(of, 'When do you open?');
      const link = page.getByRole('link', { name: w.link });
      await link.waitFor();
      assert.match((await link.textContent())!, /1$/);
      await link.press('Enter');
      await page.getByRole('heading', { level: 1, name: w.title }).waitFor();
      const card = cards(page).first();
      await card.waitFor();
      assert.equal(await plain(card.getByRole('heading').textContent()), w.heading);
      await card.getByText('When do you open?').waitFor();
      await card.getByText('At nine.').waitFor();
      await page.keyboard.press('KeyY');
      assert.deepEqual(await sentTexts(of.workspace, of.conversation), []);
      await page.locator('article[data-proposal]:focus').waitFor();
      await page.keyboard.press('KeyY');
      await page.locator('article[data-proposal]:not([data-waiting])').waitFor();
      assert.deepEqual(await sentTexts(of.workspace, of.conversation), ['At nine.']);
      assert.deepEqual(troubles, []);
    });

    it(`stands over the composer, and is sent in the words of the person (${locale})`, async () => {
      const { of, aisha, badr } = await propose();
      const at = { url: majlis.url, workspace: of.workspace, conversation_id: of.conversation };
      const own = await openComposer(pages, { ...at, member: aisha }, { locale });
      const other = await openComposer(pages, { ...at, member: badr }, { locale });
      await cards(other.page).waitFor();
      await cards(own.page).getByRole('button', { name: w.edit }).click();
      await cards(own.page).getByLabel(w.text).fill('At ten. في العاشرة');
      await cards(own.page).getByRole('button', { name: w.mine }).click();
      for (const { page } of [own, other]) {
        await cards(page).waitFor({ state: 'detached' });
        await page.locator('article[data-message]').getByText('At ten.').waitFor();
      }
      assert.deepEqual(await sentTexts(of.workspace, of.conversation), ['At ten. في العاشرة']);
      for (const { troubles } of [own, other]) assert.deepEqual(troubles, []);
    });

    it(`is sent over the composer by a key that ? names and that can be turned off (${locale})`, async () => {
      const { of, aisha } = await propose();
      const at = { url: majlis.url, workspace: of.workspace, conversation_id: of.conversation, member: aisha };
      assert.equal((await aisha.request('PATCH', '/profile', { single_key_shortcuts: false })).status, 204);
      const off = await openComposer(pages, at, { locale });
      await cards(off.page).waitFor();
      await cards(off.page).evaluate((card) => (card as unknown as { focus(): void }).focus());
      await off.page.keyboard.press('KeyY');
      assert.equal((await aisha.request('PATCH', '/profile', { single_key_shortcuts: true })).status, 204);
      const { page, troubles } = await openComposer(pages, at, { locale });
      await cards(page).waitFor();
      await page.evaluate('document.activeElement.blur()');
      await page.keyboard.press('Shift+Slash');
      const named = page.getByRole('dialog').locator('dl > div').filter({ hasText: w.approve });
      assert.equal(await named.locator('kbd').textContent(), 'Y');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('KeyY');
      assert.deepEqual(await sentTexts(of.workspace, of.conversation), []);
      await page.locator('article[data-proposal]:focus').waitFor();
      await page.keyboard.press('KeyY');
      await cards(page).waitFor({ state: 'detached' });
      assert.deepEqual(await sentTexts(of.workspace, of.conversation), ['At nine.']);
      assert.deepEqual(troubles, []);
    });

    for (const path of ['proposals', 'inbox'] as const)
      it(`leaves a person the text that they write while it ends (${path}, ${locale})`, async () => {
        const { of, aisha, badr } = await propose();
        const inbox = `inbox/${of.conversation}`;
        const { page, troubles } = await openPage(of, aisha, locale, path === 'inbox' ? inbox : path);
        await cards(page).getByRole('button', { name: w.edit }).click();
        const field = cards(page).getByLabel(w.text);
        await field.fill('At ten, ');
        await badr.at('POST', `/conversations/${of.conversation}/handover`, { to: 'human' });
        await cards(page).getByText(w.taken).waitFor();
        if (path === 'inbox') await page.getByText(w.kept).waitFor();
        assert.equal(await page.getByText(w.waits).count(), 0);
        await page.keyboard.type('yes');
        assert.equal(await field.inputValue(), 'At ten, yes');
        await cards(page).getByRole('button', { name: w.toReply }).click();
        await field.waitFor({ state: 'detached' });
        if (path === 'proposals') await cards(page).getByRole('link').click();
        const draft = page.locator('section[data-mode=reply] textarea');
        await eventually(
          () => draft.inputValue(),
          (text) => text === 'At ten, yes',
        );
        assert.deepEqual(await sentTexts(of.workspace, of.conversation), []);
        assert.deepEqual(troubles, []);
      });

    it(`stays in its place with what became of it, and says who was faster (${locale})`, async () => {
      const { of, aisha, badr, proposal } = await propose();
      const own = await openPage(of, aisha, locale, 'proposals');
      await cards(own.page).waitFor();
      // The colleague decides while the request of the first is under way.
      await own.page.route('**/accept', async (route) => {
        assert.equal((await badr.at('POST', `/proposals/${proposal.id}/accept`, {})).status, 200);
        await route.continue();
      });
      await cards(own.page).getByRole('button', { name: w.send }).click();
      await own.page
        .locator('[data-toast], [role="alertdialog"], [role="status"]')
        .getByText(w.other)
        .first()
        .waitFor();
      await cards(own.page).getByText(w.other).waitFor();
      assert.equal(await cards(own.page).getByRole('button').count(), 0);
      models.say('Yes, on Fridays too.');
      await write(of, 'On Fridays?');
      await cards(own.page).nth(1).getByText('Yes, on Fridays too.').waitFor();
      models.say('Both.');
      await write(of, 'Hello?');
      await cards(own.page).nth(1).getByText(w.overtaken).waitFor();
      const last = cards(own.page).nth(2);
      await last.getByRole('button', { name: w.refuse }).click();
      await last.getByRole('button', { name: w.now }).click();
      await own.page.locator('article[data-waiting]').waitFor({ state: 'detached' });
      await own.page.reload();
      await own.page.getByText(w.empty).waitFor();
      assert.deepEqual(own.troubles, []);
    });
  }

  for (const path of ['proposals', 'inbox'] as const)
    it(`keeps the place of the keyboard while it is begun, left and decided (${path})`, async () => {
      const { of, aisha } = await propose();
      const place = path === 'inbox' ? `inbox/${of.conversation}` : path;
      const { page } = await openPage(of, aisha, 'en', place);
      const field = page.locator('article textarea:focus');
      for (const act of ['edit', 'refuse']) {
        const cancels = [
          () => cards(page).getByRole('button', { name: 'Cancel' }).press('Enter'),
          () => field.press('Escape'),
        ];
        for (const cancel of cancels) {
          await page.locator(`[data-act=${act}]`).press('Enter');
          await field.waitFor();
          await cancel();
          await page.locator(`[data-act=${act}]:focus`).waitFor({ timeout: 5_000 });
        }
      }
      await page.locator('[data-act=accept]').press('Enter');
      await page.locator('[data-proposal][data-waiting]').waitFor({ state: 'detached' });
      await page.locator(path === 'inbox' ? 'section[data-composer]:focus' : 'article[data-proposal]:focus').waitFor();
    });

  it('leaves a person alone who writes in another one while the answer is on its way', async () => {
    const { of, aisha, proposal } = await propose();
    const digits = newDigits();
    const other = { ...of, digits, conversation: (await receiveMessage(majlis, of.workspace, digits)).conversation_id };
    const to = { to: 'bot', ai_agent_id: of.agent_id };
    assert.equal((await of.workspace.api.post(`/conversations/${other.conversation}/handover`, to)).status, 200);
    await write(other, 'Where are you?');
    const { id } = await untilProposed(aisha, other.conversation);
    const { page } = await openPage(of, aisha, 'en', 'proposals');
    const answer = Promise.withResolvers<void>();
    await page.route('**/accept', async (route) => {
      const response = await route.fetch();
      await answer.promise;
      await route.fulfill({ response });
    });
    const card = (one: string) => page.locator(`[data-proposal="${one}"]`);
    await card(proposal.id).locator('[data-act=accept]').click();
    await card(id).locator('[data-act=edit]').click();
    const told = page.getByRole('alertdialog');
    assert.equal(await told.count(), 0);
    answer.resolve();
    await told.waitFor();
    await drawn(page);
    await card(id).locator('textarea:focus').waitFor({ timeout: 1_000 });
  });

  it('has the text that a person began still, once they come back to the conversation', async () => {
    const { of, aisha } = await propose();
    const { page } = await openPage(of, aisha, 'en', `inbox/${of.conversation}`);
    await cards(page).getByRole('button', { name: 'Edit' }).click();
    const field = cards(page).getByLabel('Text of the message');
    await field.fill('At ten.');
    await page.locator('nav a[href$="/contacts"]').click();
    await field.waitFor({ state: 'detached' });
    await page.goBack();
    await field.waitFor();
    assert.equal(await field.inputValue(), 'At ten.');
    await cards(page).getByRole('button', { name: 'Send mine' }).click();
    await cards(page).waitFor({ state: 'detached' });
    assert.deepEqual(await sentTexts(of.workspace, of.conversation), ['At ten.']);
  });

  it('has that text after a merge of the contact, and after the next sign-in where the session ends', async () => {
    const { of, aisha } = await propose();
    const { page } = await openPage(of, aisha, 'en', `inbox/${of.conversation}`);
    await cards(page).getByRole('button', { name: 'Edit' }).click();
    const field = cards(page).getByLabel('Text of the message');
    await field.fill('At ten.');
    const { contact_id } = (await aisha.at('GET', `/conversations/${of.conversation}`)).body;
    const other = await receiveMessage(majlis, of.workspace, newDigits());
    const merge = `/contacts/${other.contact_id}/merge`;
    const merged = await of.workspace.api.post(merge, { source_contact_id: contact_id });
    assert.equal(merged.status, 200, merged.text);
    await page.locator(`a[href*="${other.contact_id}"]`).first().waitFor();
    assert.equal(await field.inputValue(), 'At ten.');
    await majlis.sql('delete from sessions');
    await signInByForm(page, aisha);
    await field.waitFor();
    assert.equal(await field.inputValue(), 'At ten.');
  });

  it('says why the rules refuse it now, and waits on', async () => {
    const { of, aisha } = await propose();
    const { page } = await openPage(of, aisha, 'en', 'proposals');
    await cards(page).waitFor();
    await majlis.sql(`update conversations set window_expires_at = now() - interval '1 hour'`);
    await cards(page).getByRole('button', { name: 'Send' }).click();
    await cards(page).getByRole('alert').waitFor();
    assert.equal(await page.locator('article[data-waiting]').count(), 1);
    assert.deepEqual(await sentTexts(of.workspace, of.conversation), []);
  });
});
