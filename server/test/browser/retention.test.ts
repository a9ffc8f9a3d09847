import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits, sendText } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, password } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { ageConversation, closeConversation } from '@majlis/testing/retention';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);

const words = {
  en: {
    bounds: 'From 30 to 3,650 days.',
    confirm: 'Delete old conversations',
    days: 'Days after the last message or note',
    later: 'Later each closed conversation goes 45 days after its last message or note.',
    next: 'Continue',
    nothing: 'No closed conversation is that old yet, so nothing is deleted now.',
    now: 'This deletes 2 conversations with 3 messages and no file, now.',
    on: 'Delete closed conversations after a time',
    password: 'Password',
    prove: 'Confirm',
    saved: 'Saved',
    typed: '45',
  },
  ar: {
    bounds: 'من 30 إلى 3,650 يومًا.',
    confirm: 'حذف المحادثات القديمة',
    days: 'عدد الأيام بعد آخر رسالة أو ملاحظة',
    later: 'وفيما بعد تُحذف كل محادثة مغلقة بعد 45 يومًا من آخر رسالة أو ملاحظة فيها.',
    next: 'متابعة',
    nothing: 'ما من محادثة مغلقة بهذا القِدم بعد، فلا يُحذف شيء الآن.',
    now: 'تُحذف الآن محادثتان، وفيها 3 رسائل ولا ملفات.',
    on: 'احذف المحادثات المغلقة بعد مدة',
    password: 'كلمة المرور',
    prove: 'تأكيد',
    saved: 'تم الحفظ',
    typed: '٤٥',
  },
};

describe('the retention of a workspace in the console', () => {
  for (const locale of languages) {
    const word = words[locale];
    it(`says in numbers what it deletes, wants the password again, and clears open inboxes (${locale})`, async () => {
      const workspace = await majlis.workspace();
      const member = await joinWorkspace(majlis, workspace, { role: 'admin' });
      const digits = newDigits();
      const old = await receiveMessage(majlis, workspace, digits);
      await sendText(workspace, old.conversation_id);
      const other = await receiveMessage(majlis, workspace, newDigits());
      for (const { conversation_id } of [old, other]) {
        await closeConversation(workspace, conversation_id);
        await ageConversation(majlis, conversation_id, 50);
      }
      const young = await receiveMessage(majlis, workspace, newDigits());
      await closeConversation(workspace, young.conversation_id);
      const inbox = await openSignedIn(
        pages,
        { url: majlis.url, member, path: `/w/${workspace.id}/inbox?view=closed` },
        { locale },
      );
      await inbox.page.locator(`[data-id="${old.conversation_id}"]`).first().waitFor();
      const path = `/w/${workspace.id}/workspace`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const main = page.getByRole('main');
      const dialog = page.getByRole('dialog');
      await main.getByText(word.on, { exact: true }).click();
      const days = main.getByLabel(word.days, { exact: true });
      await days.fill('29');
      await main.getByText(word.bounds).waitFor();
      await main.getByRole('button', { name: word.next, exact: true }).click();
      assert.equal(await dialog.count(), 0);
      await days.fill(word.typed);
      await main.getByRole('button', { name: word.next, exact: true }).click();
      await dialog.getByText(word.now).waitFor();
      await dialog.getByText(word.later).waitFor();
      await majlis.advance(601);
      await dialog.getByRole('button', { name: word.confirm, exact: true }).click();
      await page.getByRole('dialog').getByLabel(word.password, { exact: true }).fill(password);
      await page.getByRole('dialog').getByRole('button', { name: word.prove, exact: true }).click();
      await page.getByText(word.saved, { exact: true }).waitFor();
      await dialog.first().waitFor({ state: 'detached' });
      await inbox.page.locator(`[data-id="${old.conversation_id}"]`).first().waitFor({ state: 'detached' });
      for (const { conversation_id } of [old, other]) {
        await eventually(
          () => member.at('GET', `/conversations/${conversation_id}`),
          ({ status }) => status === 404,
        );
      }
      assert.equal((await member.at('GET', `/conversations/${young.conversation_id}`)).status, 200);
      await days.fill('40');
      await main.getByRole('button', { name: word.next, exact: true }).click();
      await dialog.getByText(word.nothing).waitFor();
      const confirm = dialog.getByRole('button', { name: word.confirm, exact: true });
      assert.equal(await confirm.getAttribute('data-look'), 'primary');
      await page.keyboard.press('Escape');
      // Switching it off deletes nothing, so it asks nothing.
      await main.getByText(word.on, { exact: true }).click();
      await main.getByRole('button', { name: word.next, exact: true }).click();
      await eventually(
        () => member.at('GET', '/retention'),
        ({ body }) => body.conversation_days === null,
      );
      assert.deepEqual([...troubles, ...inbox.troubles], []);
      await Promise.all([context.close(), inbox.context.close()]);
    });
  }
});
