import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '@majlis/contract/limits';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { draftsOf, openComposer, sentTexts } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace, { name: 'Muna Salim' });
const pages = await openPages(majlis);

const { url } = majlis;

for (const locale of languages) {
  const open = (conversation_id: string) =>
    openComposer(pages, { url, workspace, member, conversation_id }, { locale });
  async function receiveNamed() {
    const digits = newDigits();
    const received = await receiveMessage(majlis, workspace, digits);
    await member.at('PATCH', `/contacts/${received.contact_id}`, { name: 'Salim Al Harthi' });
    return { ...received, digits };
  }

  describe(`the composer before a send, in ${locale},`, () => {
    it('becomes the templates when the window ends, keeps the draft, and is back when the customer writes', async () => {
      const { conversation_id, digits } = await receiveNamed();
      const { page, words, reply, context, troubles } = await open(conversation_id);
      await page.clock.install();
      await page.reload();
      await reply.fill('Half a reply');
      await eventually(
        () => draftsOf(member, conversation_id),
        ([draft]) => draft === 'reply: Half a reply',
      );
      const almost = limits.window_seconds - 600;
      await majlis.advance(almost);
      await page.clock.fastForward(almost * 1_000);
      await page.getByRole('timer').waitFor();
      assert.equal(await reply.inputValue(), 'Half a reply');
      await majlis.advance(600);
      await page.clock.fastForward(600_000);
      await page.getByText(words.closed_window).waitFor();
      await page.getByRole('row', { name: 'order_update' }).waitFor();
      assert.equal(await reply.count(), 0);
      await page.getByText(words.kept_draft).waitFor();
      await page.getByText('Half a reply').waitFor();
      await receiveMessage(majlis, workspace, digits);
      await eventually(
        async () => ((await reply.count()) > 0 ? reply.inputValue() : ''),
        (text) => text === 'Half a reply',
      );
      assert.deepEqual([await sentTexts(workspace, conversation_id), troubles], [[], []]);
      await context.close();
    });

    it('lets the templates stand before a location that is written, which is back with its tool', async () => {
      const { conversation_id, digits } = await receiveNamed();
      const { page, words, context, troubles } = await open(conversation_id);
      const openLocation = async () => {
        await page.getByRole('toolbar').getByRole('button', { name: words.more, exact: true }).click();
        await page.getByRole('menuitem', { name: words.location }).click();
      };
      const name = page.getByRole('textbox', { name: words.place_name, exact: true });
      await openLocation();
      await name.fill('Muscat');
      await majlis.advance(limits.window_seconds);
      await member.at('POST', `/conversations/${conversation_id}/assign`, { assignee_id: member.user_id });
      await page.getByRole('row', { name: 'order_update' }).click();
      await page.getByRole('textbox', { name: words.template_value(2) }).fill('A-1042');
      await receiveMessage(majlis, workspace, digits);
      await page.getByText(words.closed_window).waitFor({ state: 'detached' });
      await openLocation();
      assert.equal(await name.inputValue(), 'Muscat');
      await page.getByRole('toolbar').getByRole('button', { name: words.templates }).click();
      assert.equal(await page.getByRole('textbox', { name: words.template_value(2) }).inputValue(), 'A-1042');
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('sends a template with the contact’s name in it, and shows marketing as refused', async () => {
      const { conversation_id } = await receiveNamed();
      const { page, words, context, troubles } = await open(conversation_id);
      await page.getByRole('toolbar').getByRole('button', { name: words.templates }).click();
      const marketing = page.getByRole('row', { name: 'spring_sale' });
      await marketing.getByText(words.no_opt_in).waitFor();
      await marketing.getByText(words.marketing, { exact: true }).waitFor();
      assert.equal(await marketing.getAttribute('aria-disabled'), 'true');
      await page.getByRole('searchbox', { name: words.template_search }).fill('your ORDER');
      await marketing.waitFor({ state: 'detached' });
      await page.getByRole('row', { name: 'order_update' }).click();
      const value = (number: number) => page.getByRole('textbox', { name: words.template_value(number) });
      await eventually(
        () => value(1).inputValue(),
        (text) => text === 'Salim Al Harthi',
      );
      const send = page.getByRole('button', { name: words.template_send });
      assert.equal(await send.isDisabled(), true);
      await value(2).fill('A-1042');
      const text = 'Hello Salim Al Harthi, your order A-1042 has left.';
      await page.locator('[data-preview]').getByText(text).waitFor();
      await send.click();
      await eventually(
        () => sentTexts(workspace, conversation_id),
        (texts) => texts.length > 0,
      );
      assert.deepEqual([await sentTexts(workspace, conversation_id), troubles], [[text], []]);
      await context.close();
    });

    it('says what would refuse it, and offers the way out', async () => {
      const { conversation_id } = await receiveNamed();
      const { page, words, reply, context } = await open(conversation_id);
      await member.at('POST', `/conversations/${conversation_id}/close`, {});
      await page.getByText(words.closed).waitFor();
      await reply.fill('After all');
      assert.equal(await page.getByRole('button', { name: words.send, exact: true }).isDisabled(), true);
      const notice = page.getByRole('status').filter({ hasText: words.closed });
      await notice.getByRole('button', { name: words.reopen }).click();
      await page.getByText(words.closed).waitFor({ state: 'detached' });
      await reply.press('Enter');
      await eventually(
        () => sentTexts(workspace, conversation_id),
        ([text]) => text === 'After all',
      );
      await context.close();
    });
  });
}
