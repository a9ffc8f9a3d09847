import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);

const words = {
  en: { edit: 'Edit', stage: /Stage/, gone: 'Won (no longer there)', cancel: 'Cancel' },
  ar: { edit: 'تحرير', stage: /المرحلة/, gone: 'Won (لم يعد موجودًا)', cancel: 'إلغاء' },
};

const plain = (texts: readonly string[]) => texts.map((text) => text.replaceAll(/[\u2066-\u2069]/g, '').trim());

describe('a step of a workflow that sets a stage', () => {
  for (const locale of languages) {
    it(`offers the stages, and says of its own when it is gone, in ${locale}`, async () => {
      const workspace = await majlis.workspace({
        stages: [{ name: 'New' }, { name: 'Won' }],
        workflows: [
          { name: 'Win', status: 'published', trigger: 'api_call', steps: [{ do: 'set_stage', stage: 'Won' }] },
        ],
      });
      const member = await joinWorkspace(majlis, workspace, { role: 'admin' });
      const [made] = (await member.at('GET', '/workflow-states')).body.data;
      const path = `/w/${workspace.id}/workflows/${made.id}`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const say = words[locale];
      await page.getByRole('main').getByRole('button', { name: say.edit, exact: true }).click();
      await page.locator('[data-step="/steps/0"]').getByRole('button').first().click();
      const choice = page.getByRole('dialog').getByRole('button', { name: say.stage });
      await choice.click();
      await page.getByRole('option', { name: 'New' }).waitFor();
      assert.deepEqual((await page.getByRole('option').allInnerTexts()).slice(1), ['New', 'Won']);
      await page.getByRole('option', { name: 'Won' }).click();

      const entries: AnyJson[] = (await member.at('GET', '/stage-entries')).body.data;
      const { id, version } = entries.find(({ name }) => name === 'Won');
      const removed = await member.at('DELETE', `/stages/${id}?${new URLSearchParams({ version })}`);
      assert.equal(removed.status, 204, JSON.stringify(removed.body));
      await choice.filter({ hasText: say.gone.slice(4) }).waitFor();
      await choice.click();
      await page.getByRole('option', { name: 'New' }).waitFor();
      assert.deepEqual(plain(await page.getByRole('option').allInnerTexts()).slice(1), ['New', say.gone]);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }
});
