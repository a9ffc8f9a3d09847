import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);

const words = {
  en: {
    create: 'New key',
    make: 'Make the key',
    name: 'Name',
    own: 'New API key',
    revoke: 'Revoke',
    saved: 'I have saved it',
    unused: 'Never used.',
    used: /Last used/,
  },
  ar: {
    create: 'مفتاح جديد',
    make: 'إنشاء المفتاح',
    name: 'الاسم',
    own: 'مفتاح API جديد',
    revoke: 'إبطال',
    saved: 'حفظته',
    unused: 'لم يُستعمل قط.',
    used: /آخر استعمال/,
  },
};

describe('the page of API keys', () => {
  for (const locale of languages) {
    const word = words[locale];
    it(`makes a key, tells when it was last used, and revokes it (${locale})`, async () => {
      const workspace = await majlis.workspace({ api_keys: [] });
      const member = await joinWorkspace(majlis, workspace, { role: 'admin' });
      const path = `/w/${workspace.id}/api-keys`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const main = page.getByRole('main');
      const dialog = page.getByRole('dialog');
      await main.getByRole('button', { name: word.create, exact: true }).click();
      await dialog.getByLabel(word.name, { exact: true }).fill('shop');
      await dialog.getByRole('button', { name: word.make, exact: true }).click();
      const key = await page.getByRole('textbox', { name: word.own }).inputValue();
      await dialog.getByRole('button', { name: word.saved, exact: true }).click();
      await main.getByText(word.unused).waitFor();

      assert.equal((await createApi(majlis.url, key).get('/stages')).status, 200);
      await eventually(
        async () => (await member.at('GET', '/api-keys')).body.data[0].last_used_at,
        (at) => at !== undefined,
      );
      // The list was read before the key was used; the question is answered by the server now.
      await main.getByText(word.unused).waitFor();
      await main.getByRole('button', { name: word.revoke, exact: true }).click();
      await dialog.getByText(word.used).waitFor();
      await page.keyboard.press('Escape');
      await page.reload();
      await main.getByText(word.used).waitFor();
      await main.getByRole('button', { name: word.revoke, exact: true }).click();
      await dialog.getByRole('button', { name: word.revoke, exact: true }).click();
      // While the dialog is open, the list behind it is no part of the page.
      await dialog.waitFor({ state: 'detached' });
      await main.getByText('shop').waitFor({ state: 'detached' });
      assert.equal((await createApi(majlis.url, key).get('/stages')).status, 401);
      const acts = (await member.at('GET', '/audit')).body.data.map(({ action }: AnyJson) => action);
      for (const act of ['createApiKey', 'revokeApiKey']) assert.ok(acts.includes(act), act);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }

  it('is no page for a supervisor', async () => {
    const workspace = await majlis.workspace();
    const member = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
    const path = `/w/${workspace.id}/members`;
    const { page, context } = await openSignedIn(pages, { url: majlis.url, member, path });
    for (const place of ['api-keys', 'webhooks', 'lists', 'workspace', 'teams', 'audit']) {
      await page.goto(`${majlis.url}/w/${workspace.id}/${place}`);
      await page.getByRole('heading', { name: 'This page is not open to you' }).waitFor();
    }
    await context.close();
  });
});
