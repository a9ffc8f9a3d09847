import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { messageReceiver } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { BrowserContextOptions, Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const pages = await openPages(majlis);
const receive = messageReceiver(majlis, workspace);

const open = (place: string, locale = 'en', options: BrowserContextOptions = {}) =>
  openSignedIn(
    pages,
    { url: majlis.url, member: owner, path: `/w/${workspace.id}/inbox${place}` },
    { locale, ...options },
  );

const bubble = (page: Page, id: string) => page.locator(`article[data-id="${id}"]`);

for (const locale of ['en', 'ar']) {
  describe(`what became of a message in ${locale}`, () => {
    it('says why a message failed and what to do, and sends it again where that can help', async () => {
      const unreachable = await receive('96890131026', 'text', `Hello ${locale}`);
      const blocked = await receive(newDigits(), 'text', `Hello ${locale}`);
      const write = async ({ conversation_id }: { conversation_id: string }) =>
        (await owner.at('POST', `/conversations/${conversation_id}/messages`, { kind: 'text', body: 'Once more' })).body
          .id as string;
      const failed = await write(unreachable);
      await majlis.sql(`insert into job_groups select 'messages.deliver_message', id, 'infinity' from channels`);
      const late = await write(blocked);
      await owner.at('PATCH', `/contacts/${blocked.actor_id}`, { blocked: true });
      await majlis.sql('delete from job_groups');
      await owner.at('GET', `/messages/${late}`);
      const { page, troubles } = await open(`/${unreachable.conversation_id}`, locale);
      const words =
        locale === 'en'
          ? { number: /may not use the app/, again: 'Send again' }
          : { number: /الرقم/, again: 'إعادة الإرسال' };
      await bubble(page, failed).getByText(words.number).first().waitFor();
      assert.equal(await bubble(page, failed).getByRole('button', { name: words.again }).count(), 0);
      await eventually(
        async () => (await owner.at('GET', `/messages/${late}`)).body.status,
        (status) => status === 'failed',
      );
      await owner.at('PATCH', `/contacts/${blocked.actor_id}`, { blocked: false });
      await page.goto(`${majlis.url}/w/${workspace.id}/inbox/${blocked.conversation_id}`);
      await bubble(page, late).getByRole('button', { name: words.again }).click();
      await eventually(
        async () => (await owner.at('GET', `/conversations/${blocked.conversation_id}/thread`)).body.data,
        (items) => items.filter(({ body }: { body?: string }) => body === 'Once more').length === 2,
      );
      assert.deepEqual(troubles, []);
      await page.context().close();
    });

    it('tells what happened to a message', async () => {
      const { conversation_id } = await receive(newDigits(), 'text', 'Hello');
      const { body: sent } = await owner.at('POST', `/conversations/${conversation_id}/messages`, {
        kind: 'text',
        body: 'Once',
      });
      await eventually(
        async () => (await owner.at('GET', `/messages/${sent.id}`)).body.status,
        (status) => status === 'read',
      );
      const { page, troubles } = await open(`/${conversation_id}`, locale);
      await bubble(page, sent.id).hover();
      await bubble(page, sent.id)
        .getByRole('button', { name: locale === 'en' ? 'More actions' : 'إجراءات أخرى' })
        .click();
      await page.getByRole('menuitem', { name: locale === 'en' ? 'What happened to it' : 'ما الذي حدث لها' }).click();
      const steps = page.getByRole('dialog').locator('li[data-step]');
      await steps.first().waitFor();
      const named = await steps.evaluateAll((all) => all.map((one) => one.getAttribute('data-step')));
      assert.equal(named[0], 'accepted');
      assert.ok(named.includes('allowed_in_window') && named.includes('read'), String(named));
      assert.match(await steps.first().innerText(), /Aisha/);
      assert.ok(!(await page.getByRole('dialog').innerText()).includes('timeline.'));
      assert.deepEqual(troubles, []);
      await page.context().close();
    });
  });
}
