import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { samples, uploadFile } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { schedule, scheduledPath } from '@majlis/testing/schedule-messages';
import { startTestService } from '@majlis/testing/start-test-service';
import { addPicturedTemplate } from '@majlis/testing/templates';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace, { name: 'Muna Salim' });
await addPicturedTemplate(majlis, workspace);
const pages = await openPages(majlis);

const words = {
  en: {
    ...{ edit: 'Edit', save: 'Save', text: 'Text', take: 'Take this one' },
    ...{ add: 'Add a choice', same: 'Choice 3 has the name of another one.', list: 'List', form: 'Shown as' },
    ...{ describe: (number: number) => `Description of choice ${number}` },
  },
  ar: {
    ...{ edit: 'تعديل', save: 'حفظ', text: 'النص', take: 'خذ هذا النص' },
    ...{ add: 'إضافة خيار', same: 'للخيار 3 اسم خيار آخر.', list: 'قائمة', form: 'طريقة العرض' },
    ...{ describe: (number: number) => `وصف الخيار ${number}` },
  },
};

const upload = async (): Promise<string> =>
  (await uploadFile(majlis, workspace, samples.png, { filename: 'sofa.png', type: 'image/png' })).body.id;

for (const locale of languages) {
  const word = words[locale];

  describe(`a scheduled message is edited as it was written, in ${locale}:`, () => {
    /** Schedules the message, and opens its dialog. */
    async function open(content: object) {
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      const { id } = await schedule(majlis, member, conversation_id, { content });
      const subject = { url: majlis.url, workspace, member, conversation_id };
      const { page, words: composer, troubles, context } = await openComposer(pages, subject, { locale });
      const bubble = page.locator('article[data-scheduled]');
      await bubble.getByRole('button', { name: word.edit }).click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      const save = () => dialog.getByRole('button', { name: word.save, exact: true }).click();
      const read = async (): Promise<AnyJson> => (await member.at('GET', scheduledPath(conversation_id, id))).body;
      const change = async (changed: object) => {
        const { version } = await read();
        const path = scheduledPath(conversation_id, id);
        assert.equal((await member.at('PATCH', path, { version, content: changed })).status, 200);
      };
      async function end() {
        assert.deepEqual(troubles, []);
        await context.close();
      }
      return { page, composer, bubble, dialog, save, read, change, end };
    }

    it('the values of a template, with its preview', async () => {
      const template = { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] };
      const { composer, bubble, dialog, save, read, change, end } = await open({ kind: 'template', template });
      const value = (number: number) => dialog.getByRole('textbox', { name: composer.template_value(number) });
      await value(2).waitFor();
      assert.deepEqual([await value(1).inputValue(), await value(2).inputValue()], ['Muna', 'A-1']);
      await value(2).fill('');
      await save();
      await dialog.locator('[data-invalid] input').waitFor();
      await value(2).fill('B-2');
      await dialog.locator('[data-preview]').getByText('Hello Muna, your order B-2 has left.').waitFor();
      // A colleague is faster, and the person takes what they wrote before the own change.
      await change({ kind: 'template', template: { ...template, params: ['Muna', 'C-3'] } });
      await dialog.getByRole('button', { name: word.take }).click();
      await dialog.locator('[data-preview]').getByText('Hello Muna, your order C-3 has left.').waitFor();
      await value(1).fill('Salim');
      await save();
      await bubble.getByText('Hello Salim, your order C-3 has left.').waitFor();
      assert.deepEqual((await read()).content, {
        kind: 'template',
        template: { ...template, params: ['Salim', 'C-3'] },
      });
      await end();
    });

    it('a template, whose file is kept or becomes another one', async () => {
      const header_media_id = await upload();
      const template = { name: 'pictured', language: 'en', params: ['this'], header_media_id };
      const { page, composer, bubble, dialog, save, read, end } = await open({ kind: 'template', template });
      await dialog.getByText('sofa.png').waitFor();
      await dialog.locator('[data-preview] img').waitFor();
      await dialog.getByRole('textbox', { name: composer.template_value(1) }).fill('that');
      await save();
      await bubble.getByText('Look at that.').waitFor();
      assert.deepEqual((await read()).content.template, { ...template, params: ['that'] });

      await bubble.getByRole('button', { name: word.edit }).click();
      await dialog.getByRole('button', { name: composer.remove }).click();
      await save();
      await dialog.getByRole('alert').waitFor();
      const picture = { name: 'chair.png', mimeType: 'image/png', buffer: samples.png };
      await page.locator('[role=dialog] input[type=file]').setInputFiles(picture);
      // The picture is shown before it is uploaded.
      await dialog.locator('[data-preview] img').waitFor();
      await dialog.locator('progress').waitFor({ state: 'detached' });
      await save();
      await bubble.getByText('chair.png').waitFor();
      assert.notEqual((await read()).content.template.header_media_id, header_media_id);
      await end();
    });

    it('the text and the choices of a message with buttons, which becomes a list', async () => {
      const buttons = [
        { id: 'choice_1', title: 'Red' },
        { id: 'choice_2', title: 'Blue' },
      ];
      const content = { kind: 'interactive', body: 'Which colour?', interactive: { type: 'buttons', buttons } };
      const { page, composer, bubble, dialog, save, read, end } = await open(content);
      const choice = (number: number) => dialog.getByRole('textbox', { name: composer.choice(number), exact: true });
      assert.deepEqual([await choice(1).inputValue(), await choice(2).inputValue()], ['Red', 'Blue']);
      await dialog.getByRole('textbox', { name: word.text, exact: true }).fill('Which one?');
      await dialog.getByRole('button', { name: word.add }).click();
      await choice(3).fill('Red');
      await save();
      await dialog.getByRole('alert').getByText(word.same).waitFor();
      await choice(3).fill('Green');
      await dialog.getByRole('button', { name: word.form }).click();
      await page.getByRole('option', { name: word.list }).click();
      await dialog.getByRole('textbox', { name: word.describe(3) }).fill('As grass');
      await save();
      await bubble.getByText('Which one?').waitFor();
      assert.deepEqual((await read()).content, {
        kind: 'interactive',
        body: 'Which one?',
        interactive: {
          type: 'list',
          buttons: [...buttons, { id: 'choice_3', title: 'Green', description: 'As grass' }],
        },
      });
      await end();
    });

    it('the caption of a file, which stays', async () => {
      const media_id = await upload();
      const { bubble, dialog, save, read, end } = await open({ kind: 'image', media_id, body: 'The sofa' });
      await dialog.getByLabel(word.text).fill('The chair');
      await save();
      await bubble.getByText('The chair').waitFor();
      assert.deepEqual((await read()).content, { kind: 'image', media_id, body: 'The chair' });
      await end();
    });
  });
}
