import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composerWords } from '@majlis/testing/composer-words';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import { forceTemplateSync } from '@majlis/testing/templates';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const sara = await joinWorkspace(majlis, workspace, { name: 'Sara' });
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha', role: 'agent' });
const pages = await openPages(majlis);

const words = {
  en: {
    ...{
      edit: /^Edit/,
      tag: 'Add a tag',
      write: 'Send a template',
      send: 'Send',
      choose: /Template/,
      value: /Value 1/,
    },
    ...{ assigned: /Assigned to/, english: 'English', gone: 'This is not there any more.' },
    check: 'Check what you entered.',
  },
  ar: {
    ...{ edit: /^تعديل/, tag: 'إضافة وسم', write: 'إرسال قالب', send: 'إرسال', choose: /القالب/, value: /القيمة 1/ },
    ...{ assigned: /مسندة إلى/, english: 'الإنجليزية', gone: 'لم يعد هذا موجودًا.' },
    check: 'تحقق مما أدخلته.',
  },
};

/** A change of the settings reads the templates again, as the return to the window does. */
const readAgain = () => sara.at('POST', '/teams', { name: `Team ${newDigits()}`, member_ids: [] });

async function newTemplate(): Promise<{ name: string; remove(): Promise<void> }> {
  const name = `offer_${newDigits()}`;
  const components = [{ type: 'BODY', text: `${name} for {{1}}, and no other.` }];
  majlis.simulator.addTemplate({ waba_id: workspace.waba_id, name, language: 'en', category: 'UTILITY', components });
  await forceTemplateSync(majlis, workspace);
  return {
    name,
    async remove() {
      const { data } = (await sara.at('GET', '/chatapp/templates?status=approved')).body;
      const { id } = data.find((one: AnyJson) => one.name === name);
      assert.equal((await workspace.api.request('DELETE', `/chatapp/templates/${id}`)).status, 204);
    },
  };
}

for (const locale of languages) {
  const say = words[locale];
  const composer = composerWords[locale];

  /** A page of the person, at the inbox or at the contact of a customer who has just written. */
  async function open(place: 'inbox' | 'contacts') {
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    const { contact_id } = (await aisha.at('GET', `/conversations/${conversation_id}`)).body;
    const path = `/w/${workspace.id}/${place}/${place === 'inbox' ? conversation_id : contact_id}`;
    return openSignedIn(pages, { url: majlis.url, member: aisha, path }, { locale });
  }

  describe(`what is removed under the hands of a person, in ${locale}:`, () => {
    it('a custom field, and what is typed on is no key of the page', async () => {
      const key = `size_${locale}`;
      const created = await sara.at('POST', '/custom-fields', { key, label: `Size ${locale}`, type: 'text' });
      assert.equal(created.status, 201);
      const { page, context, troubles } = await open('inbox');
      const row = page
        .getByRole('button', { name: say.edit })
        .and(page.getByRole('button', { name: `Size ${locale}` }));
      await row.click();
      const field = page.locator('form input[name=value]');
      await field.waitFor();
      await page.keyboard.type('larg');
      const entries = (await sara.at('GET', '/custom-field-entries')).body.data;
      const { version } = entries.find((one: AnyJson) => one.field.key === key);
      const removal = sara.at('DELETE', `/custom-fields?${new URLSearchParams({ key, version })}`);
      // A person types on until the page shows that the field is gone.
      await eventually(
        () => page.keyboard.type('e').then(() => field.count()),
        (count) => count === 0,
      );
      assert.equal((await removal).status, 204);
      await page.keyboard.type('en');
      assert.equal(await page.getByRole('dialog').count(), 0);
      await page.locator('section[data-mode=reply]').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('KeyN');
      await page.locator('section[data-mode=note] textarea:focus').waitFor();
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('a template that is being filled in, which stays and says so', async () => {
      const template = await newTemplate();
      const { page, context, troubles } = await open('inbox');
      await page.getByRole('toolbar').getByRole('button', { name: composer.templates }).click();
      await page.getByRole('row', { name: `${template.name}, ${say.english}` }).click();
      const value = page.getByRole('textbox', { name: composer.template_value(1) });
      await value.fill('Muna');
      await template.remove();
      await readAgain();
      await page.getByRole('status').getByText(composer.template_gone).waitFor();
      assert.equal(await value.inputValue(), 'Muna');
      assert.equal(await page.getByRole('button', { name: composer.template_send }).isDisabled(), true);
      await page.getByRole('button', { name: composer.template_back }).click();
      await page.getByRole('row', { name: 'order_update' }).waitFor();
      assert.equal(await page.getByRole('row', { name: template.name }).count(), 0);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('a template with which somebody writes first, which stays and says so', async () => {
      const template = await newTemplate();
      const { page, context, troubles } = await open('contacts');
      await page.getByRole('button', { name: say.write }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: say.choose }).click();
      await page.getByRole('option', { name: template.name }).click();
      const value = dialog.getByRole('textbox');
      await value.fill('Muna');
      await template.remove();
      await readAgain();
      await dialog.getByText(composer.template_gone).waitFor();
      assert.equal(await value.inputValue(), 'Muna');
      const choice = dialog.getByRole('button', { name: say.choose });
      assert.ok((await choice.textContent())!.includes(template.name));
      assert.equal(await dialog.getByRole('button', { name: say.send, exact: true }).isDisabled(), true);
      await choice.click();
      await page.getByRole('option', { name: 'order_update' }).click();
      assert.equal(await dialog.getByRole('button', { name: say.send, exact: true }).isDisabled(), false);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('a team that the page still offers, whose refusal says so', async () => {
      const { team, version } = (await sara.at('POST', '/teams', { name: `Gone ${locale}`, member_ids: [] })).body;
      const { page, context } = await open('inbox');
      await page.getByRole('button', { name: say.assigned }).click();
      const { name } = team;
      const entry = page.getByRole('menuitemradio', { name }).or(page.getByRole('menuitem', { name }));
      await entry.waitFor();
      await page.route('**/teams', (route) => route.abort());
      const removed = await sara.at('DELETE', `/teams/${team.id}?${new URLSearchParams({ version })}`);
      assert.equal(removed.status, 204);
      // The page decides by no words.
      await page.route('**/assign', async (route) => {
        const response = await route.fetch();
        const refusal = await response.json();
        const errors = refusal.errors.map((fault: object) => ({ ...fault, detail: 'in other words' }));
        await route.fulfill({ response, json: { ...refusal, errors } });
      });
      await entry.click();
      await page.getByRole('alertdialog').getByText(say.gone).waitFor();
      await context.close();
    });

    it('nothing at all, where the service finds another fault in an id', async () => {
      const { team } = (await sara.at('POST', '/teams', { name: `There ${locale}`, member_ids: [] })).body;
      const { page, context } = await open('inbox');
      await page.route('**/assign', (route) => route.continue({ postData: { team_id: 7 } }));
      await page.getByRole('button', { name: say.assigned }).click();
      const { name } = team;
      await page.getByRole('menuitemradio', { name }).or(page.getByRole('menuitem', { name })).click();
      await page.getByRole('alertdialog').getByText(say.check).waitFor();
      await context.close();
    });
  });
}
