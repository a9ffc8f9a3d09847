import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { samples } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { openComposer, sentTexts } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { schedule, scheduledPath } from '@majlis/testing/schedule-messages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha', role: 'agent' });
const badr = await joinWorkspace(majlis, workspace, { name: 'Badr', role: 'admin' });
const pages = await openPages(majlis);

const words = {
  en: {
    ...{ later: 'Send later', hour: 'In an hour', own: 'Another time…', waits: /^Scheduled for .* Not sent yet\./ },
    ...{ edit: 'Edit', save: 'Save', anyway: 'Save mine all the same', text: 'Text', cancel: 'Cancel', undo: 'Undo' },
    ...{
      failed: /^Not sent\./,
      is_closed: 'The conversation is closed.',
      closed: 'The conversation was closed meanwhile. Reopen it to send.',
      now: 'Send now',
      ended: 'It was sent or cancelled while you wrote, without your changes.',
    },
    ...{
      mark: 'A scheduled message',
      time: 'Send at',
      schedule: 'Schedule',
      behind: 'The 24-hour window closes before that',
    },
  },
  ar: {
    ...{ later: 'الإرسال لاحقًا', hour: 'بعد ساعة', own: 'وقت آخر…', waits: /^مجدولة في .* لم تُرسَل بعد\./ },
    ...{ edit: 'تعديل', save: 'حفظ', anyway: 'احفظ نصي رغم ذلك', text: 'النص', cancel: 'إلغاء', undo: 'تراجع' },
    ...{
      failed: /^لم تُرسَل\./,
      is_closed: 'المحادثة مغلقة.',
      closed: 'أُغلقت المحادثة في هذه الأثناء. أعد فتحها لترسل.',
      now: 'أرسل الآن',
      ended: 'أُرسلت أو أُلغيت أثناء كتابتك دون تعديلاتك.',
    },
    ...{
      mark: 'رسالة مجدولة',
      time: 'وقت الإرسال',
      schedule: 'جدولة',
      behind: 'تُغلق نافذة الأربع والعشرين ساعة قبل ذلك',
    },
  },
};

describe('a message that is sent later', () => {
  for (const locale of languages) {
    const word = words[locale];
    const open = (member: typeof aisha, conversation_id: string) =>
      openComposer(pages, { url: majlis.url, workspace, member, conversation_id }, { locale });

    it(`is seen by a colleague at once, edited, cancelled, kept after all, and sent at its time (${locale})`, async () => {
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      const [own, other] = [await open(aisha, conversation_id), await open(badr, conversation_id)];
      await own.reply.fill('See you soon. أراك قريبًا');
      await own.page.getByRole('button', { name: word.later }).click();
      await own.page.getByRole('menuitem', { name: word.hour }).click();
      const bubble = (page: typeof own.page) => page.locator('article[data-scheduled]');
      for (const { page } of [own, other]) {
        await bubble(page).getByText('See you soon.').waitFor();
        assert.match((await bubble(page).getAttribute('aria-label'))!.replaceAll(/[\u2068\u2069]/g, ''), word.waits);
      }
      const mark = (page: typeof own.page) =>
        page.locator(`a[href*="${conversation_id}"]`).getByText(word.mark, { exact: true });
      for (const { page } of [own, other]) await mark(page).waitFor({ state: 'attached' });
      assert.equal(await own.reply.inputValue(), '');
      assert.deepEqual(await sentTexts(workspace, conversation_id), []);

      // Both open it, and the colleague is faster.
      await bubble(own.page).getByRole('button', { name: word.edit }).click();
      await own.page.getByRole('dialog').getByLabel(word.text).fill('Of Aisha');
      await bubble(other.page).getByRole('button', { name: word.edit }).click();
      const dialog = other.page.getByRole('dialog');
      await dialog.getByLabel(word.text).fill('Of Badr');
      await dialog.getByRole('button', { name: word.save }).click();
      await own.page.getByRole('dialog').getByText('Of Badr').waitFor();
      await own.page.getByRole('dialog').getByRole('button', { name: word.anyway }).click();
      await bubble(other.page).getByText('Of Aisha').waitFor();

      await bubble(other.page).getByRole('button', { name: word.cancel, exact: true }).click();
      await bubble(own.page).waitFor({ state: 'detached' });
      await other.page.getByRole('button', { name: word.undo }).first().click();
      await bubble(own.page).getByText('Of Aisha').waitFor();

      await majlis.advance(3_660);
      for (const { page } of [own, other]) {
        await bubble(page).waitFor({ state: 'detached' });
        await page.locator('article[data-message]').getByText('Of Aisha').waitFor();
        await mark(page).waitFor({ state: 'detached' });
      }
      assert.deepEqual(await sentTexts(workspace, conversation_id), ['Of Aisha']);
      for (const { troubles, context } of [own, other]) {
        assert.deepEqual(troubles, []);
        await context.close();
      }
    });

    for (const end of ['sent', 'cancelled'] as const) {
      it(`leaves a colleague who edits it what they wrote, and says that it was ${end} (${locale})`, async () => {
        const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
        const { id } = await schedule(majlis, badr, conversation_id);
        const { page, troubles, context } = await open(aisha, conversation_id);
        const bubble = page.locator('article[data-scheduled]');
        await bubble.getByRole('button', { name: word.edit }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel(word.text).fill('Of Aisha');
        if (end === 'sent') await majlis.advance(3_660);
        else await badr.at('POST', scheduledPath(conversation_id, id, 'cancel'), { version: 1 });
        await dialog.getByText(word.ended).waitFor();
        assert.equal(await dialog.getByLabel(word.text).inputValue(), 'Of Aisha');
        assert.equal(await dialog.getByRole('button', { name: word.save }).isDisabled(), true);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        assert.equal(await bubble.count(), 0);
        assert.deepEqual(await sentTexts(workspace, conversation_id), end === 'sent' ? ['See you'] : []);
        assert.deepEqual(troubles, []);
        await context.close();
      });
    }

    it(`says why it was refused at its time, and is sent once that is solved (${locale})`, async () => {
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      const { page, reply, troubles, context } = await open(aisha, conversation_id);
      await reply.fill('Too late');
      await page.keyboard.press('Control+Shift+Enter');
      await page.getByRole('menuitem', { name: word.hour }).click();
      const bubble = page.locator('article[data-scheduled]');
      await bubble.waitFor();
      assert.equal(await bubble.getByText(word.is_closed).count(), 0);
      await badr.at('POST', `/conversations/${conversation_id}/close`, {});
      await bubble.getByText(word.is_closed).waitFor();
      await majlis.advance(3_660);
      await bubble.getByText(word.closed).waitFor();
      assert.match((await bubble.getAttribute('aria-label'))!, word.failed);
      await badr.at('POST', `/conversations/${conversation_id}/reopen`);
      await bubble.getByRole('button', { name: word.now }).click();
      await bubble.waitFor({ state: 'detached' });
      assert.deepEqual(await sentTexts(workspace, conversation_id), ['Too late']);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it(`is a file with its caption, or a template for a closed window (${locale})`, async () => {
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      const { page, reply, words: composer, troubles, context } = await open(aisha, conversation_id);
      const chooseHour = async () => {
        await page.locator('button[data-later]').click();
        await page.getByRole('menuitem', { name: word.hour }).click();
      };
      const bubble = page.locator('article[data-scheduled]');
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'sofa.png', mimeType: 'image/png', buffer: samples.png });
      await reply.fill('The sofa');
      await page.getByRole('list', { name: composer.attachments }).getByText(composer.ready).waitFor();
      await chooseHour();
      await bubble.getByText('sofa.png').waitFor();
      await majlis.advance(3_660);
      await bubble.waitFor({ state: 'detached' });
      await majlis.advance(86_400);
      // The page counts by its own clock between two answers.
      await page.reload();
      await page.getByRole('row', { name: 'order_update' }).click();
      for (const number of [1, 2]) {
        await page.getByRole('textbox', { name: composer.template_value(number) }).fill(`V${number}`);
      }
      await chooseHour();
      await bubble.getByText('Hello V1, your order V2 has left.').waitFor();
      await majlis.advance(3_660);
      await bubble.waitFor({ state: 'detached' });
      assert.deepEqual(await sentTexts(workspace, conversation_id), ['The sofa', 'Hello V1, your order V2 has left.']);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it(`has a time of the person's choice, with a warning behind the end of the window (${locale})`, async () => {
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      const { page, reply, troubles, context } = await open(aisha, conversation_id);
      await reply.fill('In a month');
      await page.getByRole('button', { name: word.later }).click();
      await page.getByRole('menuitem', { name: word.own }).click();
      const dialog = page.getByRole('dialog');
      const now = Date.parse((await majlis.operator('GET', '/clock')).body.now);
      const wall = (days: number) => new Date(now + days * 86_400_000 + 4 * 3_600_000).toISOString().slice(0, 16);
      await dialog.getByLabel(word.time).fill(wall(-1));
      await dialog.getByRole('button', { name: word.schedule }).click();
      await dialog.locator('[data-invalid]').first().waitFor();
      await dialog.getByLabel(word.time).fill(wall(30));
      await dialog.getByText(word.behind).waitFor();
      await dialog.getByRole('button', { name: word.schedule }).click();
      await page.locator('article[data-scheduled]').getByText(word.behind).waitFor();
      const { data } = await eventually(
        async () => (await aisha.at('GET', scheduledPath(conversation_id))).body,
        ({ data: waiting }) => waiting.length === 1,
      );
      assert.equal(data[0].send_at.slice(0, 16), new Date(now + 30 * 86_400_000).toISOString().slice(0, 16));
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }
});
