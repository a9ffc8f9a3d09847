import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);

const { url } = majlis;
const words = {
  en: {
    create: 'New canned reply',
    change: 'Change',
    changed: 'Somebody has changed this meanwhile.',
    remove: 'Delete',
    save: 'Save',
    name: 'Short name',
    body: 'Text',
    first_name: 'First name of the contact',
    share: 'Share with everybody in the workspace',
    own: 'Only you',
    shared: 'Everybody',
    search: 'Search people and messages',
    alone: 'You alone have it.',
    of_two: '2 people have it, and lose it.',
  },
  ar: {
    create: 'رد جاهز جديد',
    change: 'تعديل',
    changed: 'غيّر أحدهم هذا في الأثناء.',
    remove: 'حذف',
    save: 'حفظ',
    name: 'الاسم المختصر',
    body: 'النص',
    first_name: 'الاسم الأول لجهة الاتصال',
    share: 'مشاركته مع كل من في مساحة العمل',
    own: 'لك وحدك',
    shared: 'للجميع',
    search: 'ابحث في الأشخاص والرسائل',
    alone: 'هو لك وحدك.',
    of_two: 'هو لدى شخصين، ويفقدانه.',
  },
};

for (const locale of languages)
  describe(`canned replies, in ${locale},`, () => {
    const said = words[locale];

    it('are made, shared, changed and deleted by a supervisor', async () => {
      const workspace = await majlis.workspace();
      const member = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
      const colleague = await joinWorkspace(majlis, workspace, { role: 'agent' });
      const path = `/w/${workspace.id}/canned-replies`;
      const { page, context, troubles } = await openSignedIn(pages, { url, member, path }, { locale });
      const dialog = page.getByRole('dialog');
      const row = (text: string) => page.getByRole('listitem').filter({ hasText: text });
      const listed = async (): Promise<string[]> =>
        (await colleague.at('GET', '/canned-replies')).body.data.map(({ name, body }: AnyJson) => `${name}: ${body}`);

      await page.getByRole('button', { name: said.create }).click();
      await dialog.getByRole('textbox', { name: said.name }).fill('own');
      await dialog.getByRole('textbox', { name: said.body }).fill('Mine');
      await dialog.getByRole('button', { name: said.save }).click();
      await row('/own').getByText(said.own).waitFor();

      await page.getByRole('button', { name: said.create }).click();
      await dialog.getByRole('textbox', { name: said.name }).fill('ترحيب');
      await dialog.getByRole('textbox', { name: said.body }).fill('Hello ');
      await dialog.getByRole('button', { name: said.first_name }).click();
      await dialog.getByText(said.share).click();
      await dialog.getByRole('button', { name: said.save }).click();
      await row('/ترحيب').getByText(said.shared).waitFor();
      assert.deepEqual(await listed(), ['ترحيب: Hello {{contact.first_name}}']);

      await row('/ترحيب').getByRole('button', { name: said.change }).click();
      await dialog.getByRole('textbox', { name: said.body }).fill('Welcome');
      await dialog.getByRole('button', { name: said.save }).click();
      await row('/ترحيب').getByText('Welcome').waitFor();
      assert.deepEqual(await listed(), ['ترحيب: Welcome']);

      // Another supervisor saves while the dialog is open here: nothing is overwritten.
      await row('/ترحيب').getByRole('button', { name: said.change }).click();
      await dialog.getByRole('textbox', { name: said.body }).fill('Mine wins');
      const [{ id }] = (await colleague.at('GET', '/canned-replies')).body.data;
      assert.equal((await member.at('PATCH', `/canned-replies/${id}`, { body: 'Theirs' })).status, 200);
      await dialog.getByRole('button', { name: said.save }).click();
      await dialog.getByText(said.changed).waitFor();
      assert.deepEqual(await listed(), ['ترحيب: Theirs']);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });

      await row('/own').getByRole('button', { name: said.remove }).click();
      await dialog.getByText(said.alone).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await row('/ترحيب').getByRole('button', { name: said.remove }).click();
      await dialog.getByText(said.of_two).waitFor();
      await dialog.getByRole('button', { name: said.remove }).click();
      // While the dialog is open, the rows behind it are no part of the page.
      await dialog.waitFor({ state: 'detached' });
      await row('/ترحيب').waitFor({ state: 'detached' });
      assert.deepEqual(await listed(), []);
      assert.equal(await row('/own').count(), 1);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('that are shared are read by an agent, who changes none of them', async () => {
      const workspace = await majlis.workspace();
      const owner = await joinWorkspace(majlis, workspace);
      await owner.at('POST', '/canned-replies', { name: 'hours', body: 'We open at nine.', shared: true });
      const member = await joinWorkspace(majlis, workspace, { role: 'agent' });
      const path = `/w/${workspace.id}/canned-replies`;
      const { page, context } = await openSignedIn(pages, { url, member, path }, { locale });
      await page.getByText('We open at nine.').waitFor();
      assert.equal(await page.getByRole('button', { name: said.change }).count(), 0);
      assert.equal(await page.getByRole('button', { name: said.remove }).count(), 0);
      await page.getByRole('button', { name: said.create }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: said.name }).waitFor();
      assert.equal(await page.getByText(said.share).count(), 0);
      await context.close();
    });

    it('and the search have fields that begin on the side of the language, and follow what is written', async () => {
      const workspace = await majlis.workspace();
      const member = await joinWorkspace(majlis, workspace);
      const path = `/w/${workspace.id}/inbox`;
      const { page, context } = await openSignedIn(pages, { url, member, path }, { locale });
      const side = locale === 'ar' ? 'rtl' : 'ltr';
      async function assertSides(field: ReturnType<typeof page.getByRole>): Promise<void> {
        const until = (direction: string) =>
          eventually(
            () => field.evaluate((one: AnyJson) => one.ownerDocument.defaultView.getComputedStyle(one).direction),
            (found) => found === direction,
          );
        await field.fill('');
        await until(side);
        await field.fill('Muna');
        await until('ltr');
        await field.fill('منى');
        await until('rtl');
        await field.fill('');
        await until(side);
      }
      await assertSides(page.getByRole('searchbox', { name: said.search }));
      await page.goto(`${url}/w/${workspace.id}/canned-replies`);
      await page.getByRole('button', { name: said.create }).click();
      const dialog = page.getByRole('dialog');
      await assertSides(dialog.getByRole('textbox', { name: said.name }));
      await assertSides(dialog.getByRole('textbox', { name: said.body }));
      await context.close();
    });
  });
