import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composerWords } from '@majlis/testing/composer-words';
import { eventually } from '@majlis/testing/eventually';
import { freePort } from '@majlis/testing/free-port';
import { languages } from '@majlis/testing/languages';
import { openPages } from '@majlis/testing/open-pages';
import { operatorToken } from '@majlis/testing/operator';
import { password } from '@majlis/testing/people';
import { runMajlis } from '@majlis/testing/start-process';
import { startTestService } from '@majlis/testing/start-test-service';

// The callback address that the console shows must be the one that the platform calls.
const port = await freePort();
const PUBLIC_URL = `http://127.0.0.1:${port}`;
const majlis = await startTestService({ env: { RATE_LIMITS: 'off', PORT: String(port), PUBLIC_URL } });
const pages = await openPages(majlis);

const words = {
  en: {
    access_token: 'Access token',
    account: 'Business account ID',
    add_contact: 'Add the contact',
    app_secret: 'App secret',
    approved: 'Approved',
    body: 'Text',
    callback_url: 'Callback URL',
    channels: 'Channels',
    settings: 'Settings',
    choose_password: 'Choose a password',
    connect: 'Connect a number',
    connect_submit: 'Check and connect',
    contacts: 'Contacts',
    join: 'Join',
    later: 'Later',
    name: 'Name',
    new_contact: 'New contact',
    new_template: 'New template',
    next: 'Next',
    number_id: 'Phone number ID',
    own_name: 'Your name',
    phone: 'Phone number',
    read: 'Read',
    send: 'Send',
    submit: 'Submit for review',
    templates: 'Templates',
    to_templates: 'To the templates',
    token: 'Verify token',
    verified: 'The platform has verified the address.',
    write: 'Send a template',
  },
  ar: {
    access_token: 'رمز الوصول',
    account: 'معرّف حساب الأعمال',
    add_contact: 'إضافة جهة الاتصال',
    app_secret: 'سرّ التطبيق',
    approved: 'معتمد',
    body: 'النص',
    callback_url: 'عنوان الاستدعاء (URL)',
    channels: 'القنوات',
    settings: 'الإعدادات',
    choose_password: 'اختر كلمة مرور',
    connect: 'ربط رقم',
    connect_submit: 'افحص واربط',
    contacts: 'جهات الاتصال',
    join: 'انضمام',
    later: 'لاحقًا',
    name: 'الاسم',
    new_contact: 'جهة اتصال جديدة',
    new_template: 'قالب جديد',
    next: 'التالي',
    number_id: 'معرّف رقم الهاتف',
    own_name: 'اسمك',
    phone: 'رقم الهاتف',
    read: 'قُرئت',
    send: 'إرسال',
    submit: 'تقديم للمراجعة',
    templates: 'القوالب',
    to_templates: 'إلى القوالب',
    token: 'رمز التحقق',
    verified: 'تحققت المنصة من العنوان.',
    write: 'إرسال قالب',
  },
};

const customers = { en: '+96891230001', ar: '+96891230002' };

describe('a workspace of which nothing exists but its name', () => {
  for (const locale of languages) {
    const word = words[locale];
    it(`comes to a first message in the console alone (${locale})`, async () => {
      const workspace = `Majan ${locale}`;
      const file = { workspace: { name: workspace, country: 'OM', timezone: 'Asia/Muscat' } };
      assert.equal((await majlis.operator('PUT', '/workspaces', file)).status, 200);
      const email = `owner-${locale}@majan.example`;
      const invited = await runMajlis(
        ['invite', '--workspace', workspace, '--email', email, '--owner', '--url', majlis.url],
        { env: { OPERATOR_TOKEN: operatorToken } },
      );
      const link = /https?:\/\/\S+/.exec(invited.stdout)![0];
      const { page, context, troubles } = await pages.open({ locale, viewport: { width: 1440, height: 900 } });
      page.setDefaultTimeout(20_000);
      const main = page.getByRole('main');
      const dialog = page.getByRole('dialog');
      const go = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
      const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

      // The owner.
      await page.goto(link);
      await page.getByLabel(word.own_name, { exact: true }).fill('Aisha');
      await page.getByLabel(word.choose_password, { exact: true }).fill(password);
      await press(word.join);

      // The number of the business, which the simulated platform knows without a callback.
      const place = locale === 'en' ? 1 : 2;
      const number = { phone_number_id: `77001${place}`, access_token: `token-${locale}` };
      const account = { waba_id: `8800${place}`, verified_name: 'Majan Homes' };
      const app_secret = `app-secret-${locale}`;
      const known = { ...number, ...account, display_phone: `+9688000002${place}` };
      majlis.simulator.addNumber(known);
      await go(word.settings);
      await go(word.channels);
      await press(word.connect);
      const values = {
        [word.name]: 'Support',
        [word.number_id]: number.phone_number_id,
        [word.account]: account.waba_id,
        [word.access_token]: number.access_token,
        [word.app_secret]: app_secret,
      };
      for (const [name, value] of Object.entries(values)) await dialog.getByLabel(name, { exact: true }).fill(value);
      await press(word.connect_submit);
      // The person carries both values to the platform.
      const callback_url = await dialog.getByLabel(word.callback_url, { exact: true }).inputValue();
      const verify_token = await dialog.getByLabel(word.token, { exact: true }).inputValue();
      await setWebhook(number.phone_number_id, { callback_url, verify_token, app_secret });
      await dialog.getByText(word.verified).waitFor();
      await press(word.next);
      await dialog.getByRole('link', { name: word.to_templates }).click();

      // A template, reviewed by the platform.
      await main.getByRole('button', { name: word.new_template, exact: true }).click();
      await main.getByLabel(word.name, { exact: true }).fill('welcome');
      await main.getByLabel(word.body, { exact: true }).fill('Welcome to Majan Homes.');
      await press(word.submit);
      await main.getByText(word.approved, { exact: true }).first().waitFor();

      // A contact, and the first message.
      await go(word.contacts);
      await main.getByRole('button', { name: word.new_contact, exact: true }).click();
      await dialog.getByLabel(word.phone, { exact: true }).fill(customers[locale]);
      await dialog.getByLabel(word.name, { exact: true }).fill('Muna');
      await press(word.add_contact);
      await press(word.write);
      await dialog.getByText('Welcome to Majan Homes.').waitFor();
      await dialog.getByRole('button', { name: word.send, exact: true }).click();
      await main.getByText('Welcome to Majan Homes.').first().waitFor();
      // The ticks of the customer's phone.
      await main.getByText(word.read, { exact: true }).first().waitFor();

      // The customer answers, and gets a reply.
      const customer = { from: customers[locale].slice(1), phone_number_id: number.phone_number_id };
      majlis.simulator.inject({ ...customer, type: 'text', content: 'Is the blue sofa there?' });
      await main.getByText('Is the blue sofa there?').last().waitFor();
      const box = page.getByLabel(composerWords[locale].reply_label);
      await box.fill('Yes, come and see it.');
      await box.press('Enter');
      await eventually(
        () => majlis.simulator.ledger().map(({ body }) => JSON.stringify(body)),
        (bodies) => bodies.some((body) => body.includes('Yes, come and see it.')),
      );
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }
});

/** What a person enters in the settings of the app at the platform, which then calls the address. */
async function setWebhook(id: string, webhook: object): Promise<void> {
  const headers = { authorization: `Bearer ${majlis.simulator.control_token}`, 'content-type': 'application/json' };
  const control = `${majlis.simulator.url}/control/numbers/${id}`;
  await fetch(control, { method: 'PATCH', headers, body: JSON.stringify({ webhook }) });
  const answer = await fetch(`${control}/verify-webhook`, { method: 'POST', headers, body: '{}' });
  assert.deepEqual(await answer.json(), { verified: true });
}
