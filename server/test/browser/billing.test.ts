import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { languages } from '@majlis/testing/languages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);

const words = {
  en: {
    by_category: 'Fees by category',
    low: /lasts about 2 days\. Ask the operator/,
    seats: 'Seats',
    title: 'Wallet and usage',
    used_up: /The balance is used up\./,
    usage: 'Used on these days',
    utility: 'Utility',
    marketing: 'Marketing',
  },
  ar: {
    by_category: 'الرسوم حسب الفئة',
    low: /يكفي نحو يومين\. اطلب من المشغّل/,
    seats: 'المقاعد',
    title: 'المحفظة والاستخدام',
    used_up: /نفد الرصيد\./,
    usage: 'المستخدم في هذه الأيام',
    utility: 'خدمات',
    marketing: 'تسويق',
  },
};

/** Fees as the ledger has them after the platform's reports. */
async function book({ id }: TestWorkspace, fees: [string, number][]): Promise<void> {
  for (const [index, [category, amount]] of fees.entries()) {
    await majlis.sql(
      `insert into ledger_entries (workspace_id, reference, kind, category, amount_minor, created_at)
       values ($1, $2, 'conversation_fee', $3, $4, now())`,
      [parseId('workspace', id), `fee ${index}`, category, -amount],
    );
  }
  const sum = fees.reduce((all, [, amount]) => all + amount, 0);
  await majlis.sql('update wallets set balance_minor = balance_minor - $2 where workspace_id = $1', [
    parseId('workspace', id),
    sum,
  ]);
}

describe('the page of the wallet', () => {
  for (const locale of languages) {
    const word = words[locale];
    it(`shows the balance in words, fees by day and category, and the usage (${locale})`, async () => {
      // 12.000 rials in 30 days, and 1.000 left.
      const workspace = await majlis.workspace({ wallet: { balance_minor: 13_000, currency: 'OMR' } });
      const member = await joinWorkspace(majlis, workspace, { role: 'admin' });
      await book(workspace, [
        ['utility', 4_500],
        ['marketing', 7_500],
      ]);
      const path = `/w/${workspace.id}/billing`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const main = page.getByRole('main');
      await main.getByRole('heading', { level: 1, name: word.title }).waitFor();
      await main.locator('dl').getByText('1.000').waitFor();
      await main.locator('dl').getByText('12.000').waitFor();
      await main.getByText(word.low).waitFor();

      const fees = main.getByRole('region', { name: word.by_category, exact: true });
      await fees.locator('tbody tr').nth(1).waitFor();
      const rows = await fees.locator('tbody tr').allInnerTexts();
      assert.match(rows[0]!, new RegExp(`${word.marketing}[^]*7\\.500`));
      assert.match(rows[1]!, new RegExp(`${word.utility}[^]*4\\.500`));
      const downloading = page.waitForEvent('download');
      await fees.getByRole('button', { name: 'CSV' }).click();
      const file = await readFile((await (await downloading).path())!, 'utf8');
      assert.deepEqual(file.trim().split('\r\n').slice(1), ['marketing,1,7.500', 'utility,1,4.500']);
      await main.locator('canvas').waitFor();

      const usage = main.getByRole('region', { name: word.usage, exact: true });
      const seats = usage.locator('tr', { hasText: word.seats });
      assert.match(await seats.innerText(), /1/);

      await majlis.sql('update wallets set balance_minor = -5 where workspace_id = $1', [
        parseId('workspace', workspace.id),
      ]);
      await page.reload();
      await main.getByText(word.used_up).waitFor();
      await main.locator('dl').getByText('0.005').waitFor();
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }
});
