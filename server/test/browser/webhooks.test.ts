import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { receiveTexts } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);
const pages = await openPages(majlis);

const words = {
  en: {
    saved: 'I have saved it',
    add: 'New endpoint',
    add_submit: 'Add the endpoint',
    attempts_lost: /listed attempts go with it/,
    changed: 'Somebody has changed this meanwhile.',
    edit: 'Edit',
    save: 'Save',
    delete: 'Delete',
    delivered: 'Delivered',
    empty: 'No webhook endpoints',
    failed: 'Failed',
    full_data: 'Details in each event',
    old_secret: 'Deliveries are signed with the old secret as well until',
    refresh: 'Refresh',
    replay: 'Replay',
    replay_one: 'Deliver again',
    replayed_one: 'The event is delivered again.',
    ends_at_once: /^A secret from before signs until /,
    one_waits: '1 delivery waits. It and those to come are signed with both secrets.',
    signs_until: /^The old secret signs until /,
    waits_for_new: '1 delivery waits. It and those to come are signed with the new secret alone.',
    rotate: 'New secret',
    secret: 'Secret',
    show_event: 'Show the event',
    test: 'Send a test event',
    url: 'Address',
  },
  ar: {
    saved: 'حفظته',
    add: 'نقطة جديدة',
    add_submit: 'إضافة النقطة',
    attempts_lost: /(محاولتان|محاولات|محاولة) مسجل/,
    changed: 'غيّر أحدهم هذا في الأثناء.',
    edit: 'تعديل',
    save: 'حفظ',
    delete: 'حذف',
    delivered: 'وصل',
    empty: 'لا توجد نقاط استقبال',
    failed: 'فشل',
    full_data: 'التفاصيل مع كل حدث',
    old_secret: 'تُوقَّع الإرسالات بالسرّ القديم أيضًا حتى',
    refresh: 'تحديث',
    replay: 'إعادة الإرسال',
    replay_one: 'إرسال من جديد',
    replayed_one: 'يُعاد إرسال الحدث.',
    ends_at_once: /^ما زال يُوقَّع بسرّ سابق حتى /,
    one_waits: 'إرسال واحد بالانتظار. يُوقَّع هو وما يأتي بالسرّين.',
    signs_until: /^يُوقَّع بالسرّ القديم حتى /,
    waits_for_new: 'إرسال واحد بالانتظار. يُوقَّع هو وما يأتي بالسرّ الجديد وحده.',
    rotate: 'سرّ جديد',
    secret: 'السرّ',
    show_event: 'عرض الحدث',
    test: 'إرسال حدث تجريبي',
    url: 'العنوان',
  },
};

describe('the page of webhooks', () => {
  for (const locale of languages) {
    const word = words[locale];
    it(`adds, tests, replays, rotates and deletes an endpoint (${locale})`, async () => {
      const receiver = await startWebhookReceiver();
      const { page, context, troubles } = await pages.open({ locale });
      await context.request.post(`${majlis.url}/console/v1/sign-in`, { data: { email: owner.email, password } });
      await page.goto(`${majlis.url}/w/${workspace.id}/webhooks`);
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

      await press(word.add);
      await page.getByLabel(word.url).fill('ftp://example.org/');
      await press(word.add_submit);
      await page.getByRole('dialog').getByText(/https/).first().waitFor();
      await page.getByLabel(word.url).fill(receiver.url);
      await page.getByText(word.full_data, { exact: true }).click();
      await press(word.add_submit);
      const secret = await page.getByLabel(word.secret, { exact: true }).inputValue();
      assert.match(secret, /^whsec_/);
      await page.getByRole('dialog').getByRole('button', { name: word.saved }).click();

      const { data } = (await workspace.api.get('/webhook-endpoints')).body;
      assert.equal(data.at(-1).event_data, 'full');
      await page.getByRole('link', { name: receiver.url }).click();
      await page.getByText(word.full_data, { exact: true }).waitFor();
      await press(word.test);
      await page.getByText(word.delivered, { exact: false }).first().waitFor();
      await eventually(
        () => receiver.arrivals.length,
        (count) => count > 0,
      );
      await receiver.close();
      await receiveTexts(majlis, workspace, 1);
      await eventually(
        async () => {
          await press(word.refresh);
          return page.getByText(word.failed, { exact: false }).count();
        },
        (count) => count > 0,
      );
      await page
        .getByRole('button', { name: new RegExp(word.show_event) })
        .first()
        .click();
      await page.getByRole('dialog').getByText('"message.received"').waitFor();
      await press(word.replay_one);
      await page.getByText(word.replayed_one).waitFor();

      await press(word.replay);
      await page.getByRole('dialog').getByRole('button', { name: word.replay, exact: true }).click();
      await page
        .getByText(/^(There is nothing|.* delivered again|لا شيء|يُعاد)/)
        .first()
        .waitFor();

      // The event that the closed receiver missed waits for its next attempt.
      await press(word.rotate);
      await page.getByRole('dialog').getByText(word.one_waits).waitFor();
      await page.getByRole('dialog').getByText(word.signs_until).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: word.rotate, exact: true }).click();
      const newSecret = page.getByLabel(word.secret, { exact: true });
      await newSecret.waitFor();
      assert.notEqual(await newSecret.inputValue(), secret);
      await page.getByRole('dialog').getByRole('button', { name: word.saved }).click();
      await page.getByText(word.old_secret).waitFor();
      await press(word.rotate);
      await page.getByRole('dialog').getByText(word.ends_at_once).waitFor();
      await page.getByRole('dialog').getByText(word.waits_for_new).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      // Two administrators at once: what the other one chose meanwhile is not overwritten.
      await press(word.edit);
      const { id, url } = (await workspace.api.get('/webhook-endpoints')).body.data.at(-1);
      assert.equal(url, receiver.url);
      await page.getByRole('dialog').getByLabel(word.url).waitFor();
      await workspace.api.request('PATCH', `/webhook-endpoints/${id}`, { events: ['message.received'] });
      await page.getByRole('dialog').getByRole('button', { name: word.save, exact: true }).click();
      await page.getByRole('dialog').getByText(word.changed).waitFor();
      const kept = (await workspace.api.get('/webhook-endpoints')).body.data.at(-1);
      assert.deepEqual(kept.events, ['message.received']);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      await press(word.delete);
      await page.getByRole('dialog').getByText(word.attempts_lost).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: word.delete, exact: true }).click();
      await page.getByText(word.empty).waitFor();
      const stored = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })');
      assert.ok(!String(stored).includes('whsec_'));
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }

  it('adds further types to the messages, and keeps them when the endpoint is edited', async () => {
    const { url } = await startWebhookReceiver();
    const endpoint = (await workspace.api.post('/webhook-endpoints', { url, events: ['*', 'note.added'] })).body;
    const { page, context, troubles } = await pages.open({ locale: 'en' });
    await context.request.post(`${majlis.url}/console/v1/sign-in`, { data: { email: owner.email, password } });
    await page.goto(`${majlis.url}/w/${workspace.id}/webhooks`);
    await page.getByRole('link', { name: url }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('A conversation was closed').click();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const { data } = (await workspace.api.get('/webhook-endpoints')).body;
    const { events } = data.find(({ id }: { id: string }) => id === endpoint.id);
    assert.deepEqual(events, ['*', 'note.added', 'conversation.closed']);
    assert.deepEqual(troubles, []);
    await context.close();
  });
});
