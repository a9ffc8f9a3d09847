import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);
const { url } = majlis;
const never = { weekly: Array.from({ length: 7 }, () => []) };

const sizes = { laptop: { width: 1280, height: 720 }, phone: { width: 390, height: 664 } };

const words = {
  en: {
    changed: 'Somebody has changed this meanwhile.',
    hours: 'Working hours',
    hours_of: 'Working hours: \u2068Omar Ali\u2069',
    note: 'Note',
    on: 'Only at certain hours',
    outside: 'Outside hours',
    own: 'Your working hours',
    remove_span: /^Remove these hours of/,
    save: 'Save',
  },
  ar: {
    changed: 'غيّر أحدهم هذا في الأثناء.',
    hours: 'ساعات العمل',
    hours_of: 'ساعات العمل: \u2068Omar Ali\u2069',
    note: 'ملاحظة',
    on: 'في ساعات معينة فقط',
    outside: 'خارج الدوام',
    own: 'ساعات عملك',
    remove_span: /^احذف هذه الساعات من يوم/,
    save: 'حفظ',
  },
};

const entryOf = async (reader: Member, { user_id }: Member): Promise<AnyJson> =>
  (await reader.at('GET', '/working-hours')).body.data.find((one: AnyJson) => one.user_id === user_id);

for (const locale of languages) {
  const word = words[locale];

  describe(`the working hours of a person, in ${locale},`, () => {
    for (const [name, viewport] of Object.entries(sizes)) {
      it(`can be saved without scrolling on a screen of the size of a ${name}`, async () => {
        const workspace = await majlis.workspace();
        const member = await joinWorkspace(majlis, workspace, { role: 'admin' });
        const path = `/w/${workspace.id}/members`;
        const { page } = await openSignedIn(pages, { url, member, path }, { locale, viewport });
        const dialog = page.getByRole('dialog');
        await page.getByRole('button', { name: new RegExp(`^${word.hours}`) }).click();
        const toggle = dialog.getByRole('switch', { name: word.on });
        await toggle.waitFor({ state: 'attached' });
        if (!(await toggle.isChecked())) await dialog.getByText(word.on).click();
        await dialog.getByRole('button', { name: word.remove_span }).first().waitFor();
        const save = await dialog.getByRole('button', { name: word.save, exact: true }).boundingBox();
        assert.ok((await dialog.boundingBox())!.height > viewport.height, 'the dialog is longer than the screen');
        assert.ok(save!.y + save!.height <= viewport.height, `the button ends at ${save!.y + save!.height}`);
      });
    }

    it('are set by an administrator, who overwrites nobody, and stand beside the name', async () => {
      const workspace = await majlis.workspace();
      const admin = await joinWorkspace(majlis, workspace, { role: 'admin', name: 'Aisha Nasser' });
      const agent = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Omar Ali' });
      const path = `/w/${workspace.id}/members`;
      const { page, context, troubles } = await openSignedIn(pages, { url, member: admin, path }, { locale });
      const dialog = page.getByRole('dialog');
      const row = page.getByRole('listitem').filter({ hasText: 'Omar Ali' });
      const save = () => dialog.getByRole('button', { name: word.save, exact: true }).click();
      async function openAndClear(): Promise<void> {
        await page.getByRole('button', { name: word.hours_of }).click();
        const toggle = dialog.getByRole('switch', { name: word.on });
        await toggle.waitFor({ state: 'attached' });
        if (!(await toggle.isChecked())) await dialog.getByText(word.on).click();
        const spans = dialog.getByRole('button', { name: word.remove_span });
        await spans.first().waitFor();
        for (let left = await spans.count(); left > 0; left--) await spans.first().click();
      }
      await row.waitFor();
      assert.equal(await row.getByText(word.outside).count(), 0);

      // The person sets other hours while the dialog is open here.
      await openAndClear();
      const { version } = await entryOf(agent, agent);
      const afternoons = { weekly: never.weekly.with(1, [{ from: '12:00', until: '18:00' }] as never) };
      const own = await agent.at('PUT', `/members/${agent.user_id}/working-hours`, { version, hours: afternoons });
      assert.equal(own.status, 200);
      await save();
      await dialog.getByText(word.changed).waitFor();
      assert.deepEqual((await entryOf(admin, agent)).hours, afternoons);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });

      await openAndClear();
      await save();
      await dialog.waitFor({ state: 'detached' });
      await row.getByText(word.outside).waitFor();
      assert.deepEqual((await entryOf(admin, agent)).hours, never);
      assert.deepEqual(
        troubles.filter((trouble) => !trouble.includes('/working-hours')),
        [],
      );
      await context.close();
    });

    it('stand beside them in the lists of assignees and of mentions, and forbid neither', async () => {
      const workspace = await majlis.workspace({ assignment: 'none' });
      const admin = await joinWorkspace(majlis, workspace, { role: 'admin', name: 'Aisha Nasser' });
      const agent = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Omar Ali' });
      await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Olga Said' });
      const { version } = await entryOf(admin, agent);
      await admin.at('PUT', `/members/${agent.user_id}/working-hours`, { version, hours: never });
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      const path = `/w/${workspace.id}/inbox/${conversation_id}`;
      const { page, context, troubles } = await openSignedIn(
        pages,
        { url, member: admin, path },
        { locale, viewport: { width: 1440, height: 900 } },
      );
      await page.locator('textarea:read-write').waitFor();
      await page.getByRole('tab', { name: word.note }).click();
      await page.locator('textarea:read-write').pressSequentially('@o');
      const options = page.getByRole('option');
      await options.filter({ hasText: 'Omar Ali' }).getByText(word.outside).waitFor();
      assert.equal(await options.filter({ hasText: 'Olga Said' }).getByText(word.outside).count(), 0);
      await page.keyboard.press('Escape');

      await page.locator('[data-anchor=assign] button').first().click();
      const items = page.getByRole('menu').getByRole('menuitem');
      const omar = items.filter({ hasText: 'Omar Ali' });
      await omar.getByText(word.outside).waitFor();
      assert.equal(await items.filter({ hasText: 'Olga Said' }).getByText(word.outside).count(), 0);
      await omar.click();
      await eventually(
        async () => (await admin.at('GET', `/conversations/${conversation_id}`)).body.assignee_id,
        (assignee_id) => assignee_id === agent.user_id,
      );
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('are changed by the person in the own profile', async () => {
      const workspace = await majlis.workspace();
      const agent = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Omar Ali' });
      const { page, context, troubles } = await openSignedIn(
        pages,
        { url, member: agent, path: '/profile' },
        { locale },
      );
      const dialog = page.getByRole('dialog', { name: word.own });
      await page.getByRole('button', { name: word.hours, exact: true }).click();
      await dialog.getByText(word.on).click();
      await dialog.getByRole('button', { name: word.remove_span }).first().waitFor();
      await dialog.getByRole('button', { name: word.save, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      const workday = [{ from: '09:00', until: '17:00' }];
      const weekly = [workday, workday, workday, workday, workday, [], []];
      assert.deepEqual((await entryOf(agent, agent)).hours, { weekly });
      assert.deepEqual(troubles, []);
      await context.close();
    });
  });
}
