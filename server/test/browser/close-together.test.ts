import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({ closing_categories: [{ name: 'Kept' }] });
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const omar = await joinWorkspace(majlis, workspace, { name: 'Omar' });
const pages = await openPages(majlis);

const reasonOf = {
  en: { reason: /Reason/, none: 'No reason', changed: /Somebody has changed this meanwhile/ },
  ar: { reason: /السبب/, none: 'بلا سبب', changed: /غيّر أحدهم هذا في الأثناء/ },
};
const words = {
  en: { summary: 'What came of it', before: /A colleague closed it meanwhile/, undo: 'Undo', ...reasonOf.en },
  ar: { summary: 'الخلاصة', before: /أغلقها زميل في الأثناء/, undo: 'تراجع', ...reasonOf.ar },
};

for (const locale of languages) {
  const say = words[locale];

  /** A page on which a person has written what came of a conversation, and closes it with the next press. */
  const openClosing = async () => {
    const id = await receiveText(majlis, workspace, newDigits());
    const at = { url: majlis.url, member: aisha, path: `/w/${workspace.id}/inbox/${id}` };
    const opened = await openSignedIn(pages, at, { locale });
    const { page } = opened;
    await page.locator('textarea:read-write').waitFor();
    await page.evaluate('document.activeElement?.blur()');
    await page.keyboard.press('KeyE');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(say.summary).fill('Aisha sold a sofa.');
    const summaries = async () =>
      (await aisha.at('GET', `/conversations/${id}/thread`)).body.data
        .filter(({ kind }: AnyJson) => kind === 'closed')
        .map(({ summary }: AnyJson) => summary);
    return { ...opened, id, dialog, submit: dialog.locator('button[type=submit]'), summaries };
  };

  describe(`a closing, in ${locale},`, () => {
    it('that a colleague was faster with says so, and keeps what was written', async () => {
      const { page, context, troubles, id, dialog, submit, summaries } = await openClosing();
      await omar.at('POST', `/conversations/${id}/close`, { summary: 'Omar closed it.' });
      await submit.click();
      await dialog.getByText(say.before).waitFor();
      assert.equal(await dialog.getByLabel(say.summary).inputValue(), 'Aisha sold a sofa.');
      assert.equal(await page.getByRole('button', { name: say.undo }).count(), 0);
      assert.deepEqual(await summaries(), ['Omar closed it.']);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    for (const isHeard of [true, false]) {
      it(`whose reason was removed has none, ${isHeard ? 'as it shows at once' : 'as the refusal shows'}`, async () => {
        const { page, context, dialog, submit, summaries } = await openClosing();
        const name = `Gone ${newDigits()}`;
        const { id, version } = (await omar.at('POST', '/closing-categories', { name })).body;
        const remove = () => omar.at('DELETE', `/closing-categories/${id}?${new URLSearchParams({ version })}`);
        const choice = dialog.getByRole('button', { name: say.reason });
        await choice.click();
        await page.getByRole('option', { name }).click();
        await choice.getByText(name).waitFor();
        if (isHeard) {
          assert.equal((await remove()).status, 204);
        } else {
          await page.route('**/closing-categories', (route) => route.abort());
          await page.route(
            '**/close',
            async (route) => {
              await remove();
              await route.continue();
            },
            { times: 1 },
          );
          await submit.click();
          await dialog.getByText(say.changed).waitFor();
        }
        await choice.getByText(say.none).waitFor();
        await submit.click();
        await dialog.waitFor({ state: 'detached' });
        assert.deepEqual(await summaries(), ['Aisha sold a sofa.']);
        await context.close();
      });
    }

    it('whose answer was lost is one closing after another press, and can be taken back', async () => {
      const { page, context, id, dialog, submit, summaries } = await openClosing();
      await page.route(
        '**/close',
        async (route) => {
          await route.fetch();
          await route.abort();
        },
        // The page tries three times for one press.
        { times: 3 },
      );
      await submit.click();
      await dialog.locator('[role=alert]').waitFor();
      await submit.click();
      await dialog.waitFor({ state: 'detached' });
      assert.deepEqual(await summaries(), ['Aisha sold a sofa.']);
      await page.getByRole('button', { name: say.undo }).click();
      await eventually(
        async () => (await aisha.at('GET', `/conversations/${id}`)).body.status,
        (status) => status === 'open',
      );
      await context.close();
    });
  });
}
