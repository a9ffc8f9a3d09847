import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);

const words = {
  en: {
    cancel: 'Cancel the import of',
    cancel_confirm: 'Cancel the import',
    cancelled: 'Cancelled',
    done: 'Done',
    download: /Download the 2 rows left out/,
    dry_run: 'Dry run',
    handed_over: 'You may close this page',
    next: 'Next',
    outcome: '1,498 new · 1 changed · 2 left out',
    running: 'Running',
    start: /^Import 1,499 contacts$/,
  },
  ar: {
    cancel: 'إلغاء استيراد',
    cancel_confirm: 'إلغاء الاستيراد',
    cancelled: 'ألغيت',
    done: 'انتهت',
    download: /تنزيل الصفّين المستبعدين/,
    dry_run: 'تجربة بلا حفظ',
    handed_over: 'يمكنك إغلاق هذه الصفحة',
    next: 'التالي',
    outcome: '1,498 جديدة · 1 متغيّرة · 2 مستبعدة',
    running: 'جارية',
    start: /^استيراد 1,499 جهة$/,
  },
};

const arabicDigits = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));

/** 1,499 people and two rows that are none, one of them with a formula. */
function rowsOfFile(separator: string): string {
  const people = Array.from({ length: 1_499 }, (_, at) => [`عميل ${at}`, arabicDigits(`9${2_000_000 + at}`)]);
  people[3]![0] = `"سطر\nثانٍ ${separator} آخر"`;
  const all = [['الاسم', 'الهاتف'], ...people, ['=HYPERLINK(1)', '12'], ['Broken', '9.68912E+11']];
  return all.map((cells) => cells.join(separator)).join('\r\n');
}

/** As Windows wrote Arabic before Unicode. */
function toWindows1256(text: string): Buffer {
  const decoder = new TextDecoder('windows-1256');
  const codes = new Map(Array.from({ length: 256 }, (_, code) => [decoder.decode(Uint8Array.of(code)), code]));
  // It has no Arabic digits.
  const latin = text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660));
  return Buffer.from(Array.from(latin, (sign) => codes.get(sign) ?? 0x3f));
}

const files = {
  en: Buffer.from(`\ufeff${rowsOfFile('\t')}`, 'utf16le'),
  ar: toWindows1256(rowsOfFile(';')),
};

describe('the import of a file in the console', () => {
  for (const locale of languages) {
    const word = words[locale];
    it(`goes on after its tab is closed, and a colleague follows it (${locale})`, async () => {
      const workspace = await majlis.workspace();
      const member = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
      const colleague = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
      const known = await member.at('POST', '/contacts', {
        name: `Known ${workspace.id}`,
        identities: [{ channel_type: 'chatapp', identifier: '+96892000000' }],
      });
      const path = `/w/${workspace.id}/contacts/import`;
      const first = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const main = first.page.getByRole('main');
      const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: files[locale] };
      await main.locator('input[type=file]').setInputFiles(file);
      await first.page.getByRole('button', { name: word.next, exact: true }).click();
      await first.page.getByRole('button', { name: word.dry_run, exact: true }).click();
      const start = first.page.getByRole('button', { name: word.start });
      await start.waitFor();
      // The service waits for the known contact, so the import is under way when the tab is closed.
      const { second, seen } = await whileHeld(
        majlis,
        `select from contacts where name = 'Known ${workspace.id}' for update`,
        async () => {
          await start.click();
          await main.getByText(word.handed_over).waitFor();
          await main.getByText(word.running, { exact: true }).waitFor();
          assert.deepEqual(first.troubles, []);
          await first.context.close();

          const second = await openSignedIn(pages, { url: majlis.url, member: colleague, path }, { locale });
          const seen = second.page.getByRole('main');
          await seen.getByText(word.running, { exact: true }).waitFor();
          assert.equal(await seen.locator('progress').getAttribute('value'), '1');
          return { second, seen };
        },
      );
      await seen.getByText(word.outcome).waitFor();
      await seen.getByText(word.done, { exact: true }).waitFor();
      const downloading = second.page.waitForEvent('download');
      await seen.getByRole('button', { name: word.download }).click();
      const left = await readFile(await (await downloading).path(), 'utf8');
      assert.match(left, /^\ufeff/);
      assert.match(left, /\r\n'=HYPERLINK\(1\),12,.+\r\nBroken,9\.68912E\+11,/);
      const { body } = await member.at('GET', `/contacts/${known.body.id}`);
      assert.equal(body.name, 'عميل 0');
      const found = await member.at('GET', `/contacts?q=${encodeURIComponent('96892000003')}`);
      assert.match(found.body.data[0].name, /^سطر\n/);
      assert.deepEqual(second.troubles, []);
      await second.context.close();
    });

    it(`can be cancelled by a colleague, who is told what stays (${locale})`, async () => {
      const workspace = await majlis.workspace();
      const member = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
      const identifier = '+96892000000';
      const name = `Known ${workspace.id}`;
      await member.at('POST', '/contacts', { name, identities: [{ channel_type: 'chatapp', identifier }] });
      const created = await member.at('POST', '/contact-imports', {
        file_name: 'big.csv',
        header: ['Phone'],
        rows_total: 3_001,
      });
      const rows = Array.from({ length: 3_001 }, (_, line) => {
        const number = `+9689${2_000_000 + line}`;
        return {
          line,
          contact: { identities: [{ channel_type: 'chatapp', identifier: number }], vip: true },
          cells: [number],
        };
      });
      for (let from = 0; from < rows.length; from += 1_000) {
        const part = rows.slice(from, from + 1_000);
        assert.equal((await member.at('POST', `/contact-imports/${created.body.id}/rows`, { rows: part })).status, 200);
      }
      const { page, context, troubles } = await whileHeld(
        majlis,
        `select from contacts where name = '${name}' for update`,
        async () => {
          await member.at('POST', `/contact-imports/${created.body.id}/start`);
          const path = `/w/${workspace.id}/contacts/import`;
          const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
          await page.getByRole('button', { name: word.cancel }).click();
          await page
            .getByRole('dialog')
            .getByText(/3001|3,001/)
            .waitFor();
          await page.getByRole('dialog').getByRole('button', { name: word.cancel_confirm, exact: true }).click();
          await untilWaiting(majlis, 1, `'contact_imports '`);
          return { page, context, troubles };
        },
      );
      await page.getByText(word.cancelled, { exact: true }).waitFor();
      const states = (await member.at('GET', '/contact-imports')).body.data as AnyJson[];
      // The chunk under way was finished, and the cancellation was next.
      assert.equal(states[0].status, 'cancelled');
      assert.equal(states[0].rows_done, 1_000);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }
});
