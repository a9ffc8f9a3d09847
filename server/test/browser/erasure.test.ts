import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import { verifyReceipt } from '../../src/contacts/erase/receipts/verify-receipt.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);

const words = {
  en: {
    all: 'All receipts',
    download: 'Download the receipt',
    erase: 'Erase',
    confirm: 'Erase for good',
    erased: 'Erasures',
  },
  ar: {
    all: 'كل الإيصالات',
    download: 'تنزيل إيصال',
    erase: 'حذف نهائي',
    confirm: 'حذف نهائي',
    erased: 'عمليات الحذف النهائي',
  },
};

describe('the erasure of a contact in the console', () => {
  for (const locale of languages) {
    const word = words[locale];
    it(`says in numbers what it deletes, and leads to a receipt that anybody verifies (${locale})`, async () => {
      const workspace = await majlis.workspace();
      const member = await joinWorkspace(majlis, workspace, { role: 'admin' });
      const digits = newDigits();
      const { contact_id, conversation_id } = await receiveMessage(majlis, workspace, digits);
      await receiveMessage(majlis, workspace, digits);
      await member.at('POST', `/conversations/${conversation_id}/notes`, { body: 'A note' });
      const path = `/w/${workspace.id}/contacts/${contact_id}`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      await page.getByRole('main').getByRole('button', { name: word.erase, exact: true }).click();
      const dialog = page.getByRole('dialog');
      const countOf = (place: typeof dialog, kind: string) => place.locator(`[data-kind=${kind}] dd`).textContent();
      assert.deepEqual([await countOf(dialog, 'messages'), await countOf(dialog, 'notes')], ['2', '1']);
      await dialog.getByRole('button', { name: word.confirm, exact: true }).click();

      const main = page.getByRole('main');
      await main.getByRole('heading', { name: word.erased, exact: true }).waitFor();
      await main.getByText(contact_id).waitFor();
      assert.deepEqual([await countOf(main, 'messages'), await countOf(main, 'notes')], ['2', '1']);
      const downloading = page.waitForEvent('download');
      await main.getByRole('button', { name: word.download }).click();
      const text = await readFile(await (await downloading).path(), 'utf8');
      assert.ok(!text.includes(digits));
      const { body } = await member.get('/receipt-keys');
      assert.ok(verifyReceipt(JSON.parse(text), body.data).valid);
      await main.getByRole('link', { name: word.all }).click();
      await page.waitForURL(`**/w/${workspace.id}/receipts`);
      await main.getByText(contact_id).waitFor();
      assert.equal((await member.at('GET', `/contacts/${contact_id}`)).status, 404);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }
});
