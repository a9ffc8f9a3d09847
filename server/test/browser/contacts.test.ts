import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
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

const words = {
  en: {
    add: 'Add the contact',
    contacts: 'Contacts',
    dry_run: 'Dry run',
    export: 'Export',
    import: 'Import',
    known: 'has this number already. Nothing was changed.',
    left_out: 'Rows left out',
    name: 'Name',
    new: 'New contact',
    next: 'Next',
    no_phone: 'This phone number does not exist',
    none_found: 'Nobody fits',
    open_known: 'Open the contact',
    phone: 'Phone number',
    start: 'Import 3 contacts',
    shortened: 'The spreadsheet has shortened the number',
    title: 'Contact',
  },
  ar: {
    add: 'إضافة جهة الاتصال',
    contacts: 'جهات الاتصال',
    dry_run: 'تجربة بلا حفظ',
    export: 'تصدير',
    import: 'استيراد',
    known: 'لديه هذا الرقم من قبل. لم يتغيّر شيء.',
    left_out: 'صفوف مستبعدة',
    name: 'الاسم',
    new: 'جهة اتصال جديدة',
    next: 'التالي',
    no_phone: 'رقم الهاتف غير موجود',
    none_found: 'لا أحد يطابق',
    open_known: 'فتح جهة الاتصال',
    phone: 'رقم الهاتف',
    start: 'استيراد 3 جهات',
    shortened: 'اختصر الجدول الرقم',
    title: 'جهة الاتصال',
  },
};

/** As a spreadsheet writes it: semicolons, Arabic digits, a formula, a number in its short form, an empty row. */
const file = [
  'الاسم;الهاتف;وسوم;موافقة',
  'منى;٩١٢٣٠٠٠١;vip، جديد;نعم',
  '=HYPERLINK("x");="+96891230002";;لا',
  'Salim;91230003;;',
  ';;;',
  'Broken;9.68912E+11;;',
  'Nobody;12;;',
].join('\r\n');

describe('the page of contacts', () => {
  for (const locale of languages) {
    const word = words[locale];
    it(`finds and adds contacts, and imports a file (${locale})`, async () => {
      const workspace = await majlis.workspace();
      const member = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
      const path = `/w/${workspace.id}/contacts`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const main = page.getByRole('main');
      const dialog = page.getByRole('dialog');
      const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();

      await press(word.new);
      await dialog.getByLabel(word.phone, { exact: true }).fill('12');
      await press(word.add);
      await dialog.getByText(word.no_phone).waitFor();
      await dialog.getByLabel(word.phone, { exact: true }).fill('91230003');
      await dialog.getByLabel(word.name, { exact: true }).fill('Salma');
      await press(word.add);
      await main.getByRole('heading', { name: word.title, exact: true }).waitFor();
      await main.getByText('+96891230003').waitFor();

      // A second person adds the same number: the contact stays as it is.
      await page.goto(`${majlis.url}${path}`);
      await press(word.new);
      await dialog.getByLabel(word.phone, { exact: true }).fill('+968 9123 0003');
      await dialog.getByLabel(word.name, { exact: true }).fill('Another');
      await press(word.add);
      await dialog.getByText(word.known).waitFor();
      await dialog.getByRole('link', { name: word.open_known }).click();
      await main.getByText('Salma').first().waitFor();

      await page.goto(`${majlis.url}${path}`);
      await main.getByRole('searchbox').fill('zzz');
      await main.getByText(word.none_found).waitFor();
      await main.getByRole('searchbox').fill('salm');
      await main.getByRole('link', { name: 'Salma' }).waitFor();

      await press(word.import);
      await main.locator('input[type=file]').setInputFiles({
        name: 'customers.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`\ufeff${file}`),
      });
      await press(word.next);
      await press(word.dry_run);
      const countOf = (name: string) => main.locator('dl > div').filter({ hasText: name }).locator('dd').textContent();
      await main.getByText(word.left_out, { exact: true }).waitFor();
      assert.equal(await countOf(word.left_out), '2');
      await main.getByText(word.shortened).waitFor();
      const names = async () =>
        ((await member.at('GET', '/contacts')).body.data as AnyJson[]).map(({ name }) => name).sort();
      assert.deepEqual(await names(), ['Salma']);
      const downloading = page.waitForEvent('download');
      await main
        .getByRole('button', { name: /2|الصفّين/ })
        .last()
        .click();
      const left = await readFile(await (await downloading).path(), 'utf8');
      assert.match(left, /9\.68912E\+11.*\r\n.*Nobody,12/s);

      await press(word.start);
      await eventually(names, (list) => list.length === 3);
      assert.deepEqual(await names(), ['=HYPERLINK("x")', 'Salim', 'منى']);
      const { data } = (await member.at('GET', '/contacts')).body;
      const muna = data.find(({ name }: AnyJson) => name === 'منى');
      assert.deepEqual([muna.identities[0].identifier, muna.tags.toSorted()], ['+96891230001', ['vip', 'جديد']]);
      assert.equal(muna.consents.chatapp_marketing, true);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }

  for (const locale of languages) {
    it(`exports every contact to a file that can be imported again (${locale})`, async () => {
      const workspace = await majlis.workspace();
      const member = await joinWorkspace(majlis, workspace, { role: 'admin' });
      const contacts = Array.from({ length: 1_000 }, (_, index) => ({
        name: index === 0 ? '=1+1' : `Contact ${index}`,
        identities: [{ channel_type: 'chatapp', identifier: `+9689${String(2_000_000 + index)}` }],
        tags: ['a', 'b'],
      }));
      const imported = await member.at('POST', '/contacts/import', { contacts });
      assert.equal(imported.body.created, 1_000, JSON.stringify(imported.body.failed?.slice(0, 3)));
      const path = `/w/${workspace.id}/contacts`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: words[locale].export, exact: true }).click();
      const lines = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\r\n');
      assert.equal(lines.length, 1_001);
      assert.ok(lines.includes(`+96892000000,'=1+1,,,"a, b",0,,`), lines[1]);
      const acts = (await member.at('GET', '/audit')).body.data.filter(
        ({ action }: AnyJson) => action === 'exportContacts',
      );
      assert.equal(acts.length, 1);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }

  it('imports nothing for an agent', async () => {
    const workspace = await majlis.workspace();
    const member = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const path = `/w/${workspace.id}/contacts`;
    const { page, context } = await openSignedIn(pages, { url: majlis.url, member, path });
    await page.getByRole('button', { name: words.en.new }).waitFor();
    assert.equal(await page.getByRole('button', { name: words.en.import, exact: true }).count(), 0);
    await context.close();
  });
});
