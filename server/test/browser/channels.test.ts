import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { callControl } from '@majlis/testing/call-control';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { postNotification } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);
const callback_url = `${majlis.url}/platform/chatapp/webhook`;

const words = {
  en: {
    access_token: 'Access token',
    app_secret: 'App secret',
    advice: /The access token expired or was withdrawn/,
    check: 'Check now',
    connected: 'Connected',
    new_token: 'Enter a new token',
    trouble: 'Trouble',
    connect: 'Connect a number',
    done: 'Done',
    edit: 'Edit',
    empty: 'No channel yet',
    fails: 'Does not fit',
    fits: 'Fits',
    name: 'Name',
    next: 'Next',
    phone_number_id: 'Phone number ID',
    recipient: 'Recipient',
    save: 'Save',
    send: 'Send',
    sent: /^(Sent|Delivered|Read)$/,
    stale: 'Somebody else has changed this channel.',
    submit: 'Check and connect',
    token: 'Verify token',
    verified: 'The platform has verified the address.',
    waba_id: 'Business account ID',
    waiting: 'Waiting for the call of the platform…',
  },
  ar: {
    access_token: 'رمز الوصول',
    app_secret: 'سرّ التطبيق',
    advice: /انتهت صلاحية رمز الوصول أو سُحب/,
    connected: 'متصلة',
    new_token: 'أدخل رمزًا جديدًا',
    trouble: 'مشكلة',
    check: 'افحص الآن',
    connect: 'ربط رقم',
    done: 'تم',
    edit: 'تعديل',
    empty: 'لا قنوات بعد',
    fails: 'غير صحيح',
    fits: 'صحيح',
    name: 'الاسم',
    next: 'التالي',
    phone_number_id: 'معرّف رقم الهاتف',
    recipient: 'المستلم',
    save: 'حفظ',
    send: 'إرسال',
    sent: /^(أُرسلت|وصلت|قُرئت)$/,
    stale: 'غيّر شخص آخر هذه القناة.',
    submit: 'افحص واربط',
    token: 'رمز التحقق',
    verified: 'تحققت المنصة من العنوان.',
    waba_id: 'معرّف حساب الأعمال',
    waiting: 'بانتظار اتصال المنصة…',
  },
};

/** A number of the simulated platform, whose account has an approved template. */
function registerNumber() {
  const access = {
    phone_number_id: `55${randomInt(1e12)}`,
    waba_id: `66${randomInt(1e12)}`,
    access_token: `token-${randomBytes(6).toString('hex')}`,
  };
  const app_secret = `secret-${randomBytes(6).toString('hex')}`;
  const shown = { display_phone: '+96880000009', verified_name: 'Majan Homes' };
  majlis.simulator.addNumber({ ...access, ...shown, webhook: { callback_url, app_secret } });
  majlis.simulator.addTemplate({
    waba_id: access.waba_id,
    name: 'hello_world',
    language: 'en',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Hello World' }],
  });
  return { ...access, app_secret };
}

describe('the page of channels', () => {
  for (const locale of languages) {
    const word = words[locale];
    it(`connects a number in three steps, and mends it (${locale})`, async () => {
      const workspace = await majlis.workspace({ channels: [], templates: [] });
      const member = await joinWorkspace(majlis, workspace, { role: 'admin' });
      const access = registerNumber();
      const path = `/w/${workspace.id}/channels`;
      const opened = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const { page, context, troubles } = opened;
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
      const dialog = page.getByRole('dialog');
      const field = (name: string) => dialog.getByLabel(name, { exact: true });

      await page.getByText(word.empty).waitFor();
      await press(word.connect);
      await field(word.name).fill('Support');
      await field(word.phone_number_id).fill(access.phone_number_id);
      await field(word.waba_id).fill(access.waba_id);
      await field(word.access_token).fill(access.access_token);
      await field(word.app_secret).fill('wrong');
      await press(word.submit);
      await dialog.getByText(word.fails, { exact: true }).waitFor();
      assert.equal(await dialog.getByText(word.fits, { exact: true }).count(), 3);
      await field(word.app_secret).fill(access.app_secret);
      await press(word.submit);

      await dialog.getByText(word.waiting).waitFor();
      const token = await dialog.getByLabel(word.token, { exact: true }).inputValue();
      await fetch(`${callback_url}?hub.mode=subscribe&hub.challenge=1&hub.verify_token=${token}`);
      await dialog.getByText(word.verified).waitFor();
      await eventually(
        async () => (await member.at('GET', '/chatapp/templates')).body.data.length,
        (count) => count === 1,
      );
      await press(word.next);
      await dialog.getByLabel(word.recipient).fill(`+${newDigits()}`);
      await press(word.send);
      await dialog.getByText(word.sent).waitFor();
      await press(word.done);

      await page.getByRole('link', { name: 'Support' }).click();
      await press(word.check);
      await eventually(
        () => page.getByRole('main').getByText(word.fits, { exact: true }).count(),
        (count) => count === 4,
      );

      // Two administrators at once: the second learns that the first was there.
      await press(word.edit);
      assert.equal(await field(word.access_token).inputValue(), '');
      const [{ channel, version }] = (await member.at('GET', '/channel-states')).body.data;
      await member.at('PATCH', `/channels/${channel.id}`, { version, name: 'Sales' });
      await field(word.name).fill('Orders');
      await press(word.save);
      await dialog.getByText(word.stale).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { name: 'Sales' }).waitFor();
      await press(word.edit);
      await field(word.name).fill('Orders');
      await field(word.access_token).fill(access.access_token);
      await press(word.save);
      await page.getByRole('heading', { name: 'Orders' }).waitFor();

      const shown = await page.content();
      const stored = String(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'));
      for (const secret of [access.access_token, access.app_secret, token]) {
        assert.ok(!shown.includes(secret) && !stored.includes(secret));
      }
      const actions = (await member.at('GET', '/audit')).body.data.map(({ action }: { action: string }) => action);
      for (const action of ['connectChannel', 'checkChannel', 'changeChannel']) assert.ok(actions.includes(action));
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }

  for (const locale of languages) {
    const word = words[locale];
    it(`says of an expired token what to do, and not that the number is connected (${locale})`, async () => {
      const workspace = await majlis.workspace();
      const member = await joinWorkspace(majlis, workspace, { role: 'admin' });
      const stateOf = async () => (await member.at('GET', '/channel-states')).body.data[0];
      await eventually(stateOf, ({ channel }) => channel.status === 'CONNECTED');
      const path = `/w/${workspace.id}/channels`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const main = page.getByRole('main');
      await main.getByText(word.connected, { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Support' }).click();
      // Nobody sends: the check alone finds the token refused.
      const number = `/numbers/${workspace.phone_number_id}`;
      await callControl(majlis, 'PATCH', number, { token_expired: true });
      await main.getByRole('button', { name: word.check, exact: true }).click();
      await main.getByText(word.advice).waitFor();
      assert.equal(await main.getByText(word.connected, { exact: true }).count(), 0);
      assert.ok((await stateOf()).trouble.startsWith('190'));
      await page.goto(`${majlis.url}${path}`);
      await main.getByText(word.trouble, { exact: true }).waitFor();

      await page.getByRole('link', { name: 'Support' }).click();
      await callControl(majlis, 'PATCH', number, {
        token_expired: false,
        access_token: `new-${workspace.access_token}`,
      });
      await main.getByRole('button', { name: word.new_token, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(word.access_token, { exact: true }).fill(`new-${workspace.access_token}`);
      await dialog.getByRole('button', { name: word.save, exact: true }).click();
      await main.getByText(word.connected, { exact: true }).waitFor();
      assert.equal((await stateOf()).trouble, undefined);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }

  for (const [locale, word] of Object.entries({
    en: { declined: /The business declined/, running: 'Importing: 45%, phase 1', finished: 'Imported' },
    ar: { declined: /رفض النشاط التجاري/, running: /جارٍ الاستيراد: .*45.*المرحلة 1/, finished: 'اكتمل الاستيراد' },
  })) {
    it(`shows how far the history of the phone app is, as it goes on (${locale})`, async () => {
      const workspace = await majlis.workspace();
      const member = await joinWorkspace(majlis, workspace, { role: 'admin' });
      const [state] = (await member.at('GET', '/channel-states')).body.data;
      const path = `/w/${workspace.id}/channels/${state.channel.id}`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const share = (chunk: object) => postNotification(majlis, workspace, { history: [chunk] }, 'history');
      const of = (phase: number, progress: number) => ({ metadata: { phase, progress }, threads: [] });
      const fact = (text: string | RegExp) => page.getByRole('main').getByText(text).waitFor();
      await share({ errors: [{ code: 2593109, title: 'History sync is turned off' }] });
      await fact(word.declined);
      await share(of(1, 45));
      await fact(word.running);
      await share(of(2, 100));
      await fact(word.finished);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }

  it('is no page for a supervisor', async () => {
    const workspace = await majlis.workspace();
    const member = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
    const path = `/w/${workspace.id}/members`;
    const { page, context } = await openSignedIn(pages, { url: majlis.url, member, path });
    assert.equal(await page.getByRole('link', { name: 'Channels' }).count(), 0);
    await page.goto(`${majlis.url}/w/${workspace.id}/channels`);
    await page.getByRole('heading', { name: 'This page is not open to you' }).waitFor();
    await context.close();
  });
});
