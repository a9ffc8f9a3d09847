import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { createBroadcastClient } from '@majlis/testing/broadcasts';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const { contact, create, setTier, untilCounts } = createBroadcastClient(majlis);
const pages = await openPages(majlis);

const words = {
  en: {
    blocked: 'The contact is blocked.',
    cancel: 'Cancel the broadcast',
    cancel_hint: /It stops 3 waiting recipients\. 2 messages were sent and cannot be recalled\./,
    cancelled: 'Cancelled',
    check: 'Check the audience',
    cost: /At most .*0\.024/,
    export: 'Export as CSV',
    fault_name: 'Give the broadcast a name.',
    fault_template: 'Choose a template.',
    invalid: 'The number is not valid.',
    list: 'Numbers',
    name: 'Name',
    new: 'New broadcast',
    next: 'Next recipient',
    pause: 'Pause',
    paused: /Paused by ⁨Muna Salim⁩ on .*\. 3 recipients wait\./,
    reason: /The number cannot get this message/,
    resume: 'Go on',
    show: 'Show recipients',
    start: 'Start now',
    walk: 'Recipient 2 of 3',
  },
  ar: {
    blocked: 'جهة الاتصال محظورة.',
    cancel: 'إلغاء البث',
    cancel_hint: /يوقف 3 مستلمين منتظرين\. أُرسلت رسالتان ولا يمكن استرجاعهما\./,
    cancelled: 'أُلغي',
    check: 'فحص الجمهور',
    cost: /0\.024.* على الأكثر/,
    export: 'تصدير CSV',
    fault_name: 'أعط البث اسمًا.',
    fault_template: 'اختر قالبًا.',
    invalid: 'الرقم غير صالح.',
    list: 'الأرقام',
    name: 'الاسم',
    new: 'بث جديد',
    next: 'المستلم التالي',
    pause: 'إيقاف مؤقت',
    paused: /أوقفه ⁨Muna Salim⁩ مؤقتًا في .*\. 3 مستلمين ينتظرون\./,
    reason: /هذا الرقم|الرقم/,
    resume: 'استئناف',
    show: 'عرض المستلمين',
    start: 'ابدأ الآن',
    walk: 'المستلم 2 من 3',
  },
};

/** Where the reason of a row and the words of its button begin, from the side at which a line begins. */
function startsOfTexts(row: AnyJson): Record<'sentence' | 'button', number> {
  const page = row.ownerDocument;
  const startOf = (element: AnyJson) => {
    const range = page.createRange();
    range.selectNodeContents(element);
    const { left, right } = range.getBoundingClientRect();
    return page.dir === 'rtl' ? page.documentElement.clientWidth - right : left;
  };
  return {
    sentence: startOf(row.querySelector('span:not(:has(button))')),
    button: startOf(row.querySelector('button')),
  };
}

describe('the page of broadcasts', () => {
  for (const locale of languages) {
    const word = words[locale];
    it(`previews, starts and follows a broadcast, and exports its recipients (${locale})`, async () => {
      const wallet = { balance_minor: 500, currency: 'OMR' };
      const workspace = await majlis.workspace({ prices: { utility: 8 }, wallet });
      const member = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
      const blocked = newDigits();
      await workspace.api.request('PATCH', `/contacts/${await contact(workspace, blocked)}`, { blocked: true });
      const path = `/w/${workspace.id}/broadcasts`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const main = page.getByRole('main');
      const press = (name: string) => main.getByRole('button', { name, exact: true }).click();

      await press(word.new);
      await press(word.check);
      await main.getByText(word.fault_name).waitFor();
      await main.getByLabel(word.name, { exact: true }).fill('Orders of Friday');
      await press(word.check);
      await main.getByRole('alert').getByText(word.fault_template).waitFor();
      await main.getByText('order_update', { exact: true }).click();
      const [first, second] = [newDigits(), newDigits()];
      const rows = [
        ['Name', 'Mobile', 'Order'],
        ['=Muna', `+${first}`, 'A-1'],
        ['Ravi', `+${second}`, 'A-2'],
        ['Lost', '+96890131026', 'A-3'],
        ['Salim', `+${blocked}`, 'A-4'],
        ['Nobody', '12', 'A-5'],
      ];
      await main.getByLabel(word.list, { exact: true }).fill(rows.map((row) => row.join('\t')).join('\n'));
      const preview = main.locator('[data-preview]');
      await preview.getByText('=Muna').waitFor();
      await press(word.check);

      await main.getByText(word.walk.replace('2', '1')).waitFor();
      for (const text of [word.blocked, word.invalid, word.cost]) await main.getByText(text).waitFor();
      await press(word.next);
      await main.getByText(word.walk).waitFor();
      await preview.getByText('Ravi').waitFor();
      assert.equal((await member.at('GET', '/broadcast-states')).body.data.length, 0);
      await press(word.start);
      await page.getByRole('dialog').getByRole('button', { name: word.start, exact: true }).click();

      await main.getByRole('heading', { name: 'Orders of Friday' }).waitFor();
      // Nobody reloads: the counts and reasons come live.
      await main.locator('[data-step=read]').getByText('2', { exact: true }).waitFor();
      await main.locator('[data-step=failed]').getByText('2', { exact: true }).waitFor();
      const { data } = (await member.at('GET', '/broadcast-states')).body;
      assert.deepEqual([data.length, data[0].broadcast.counts.total], [1, 4]);
      const reason = main.getByRole('listitem').filter({ hasText: word.reason }).first();
      await reason.getByRole('button', { name: word.show }).click();
      const listed = main.getByRole('listitem').filter({ hasText: 'Lost' });
      await listed.waitFor();
      await main.getByRole('listitem').filter({ hasText: 'A-4' }).waitFor({ state: 'detached' });

      await page.setViewportSize({ width: 390, height: 844 });
      const begins = await reason.evaluate(startsOfTexts);
      assert.ok(Math.abs(begins.button - begins.sentence) <= 1, JSON.stringify(begins));

      const download = page.waitForEvent('download');
      await press(word.export);
      const file = await download;
      assert.equal(file.suggestedFilename(), 'Orders of Friday.csv');
      const lines = (await readFile((await file.path())!, 'utf8')).trim().split('\r\n');
      assert.equal(lines.length, 5);
      const [line] = lines.filter((one) => one.includes(first));
      // No spreadsheet takes the name for a formula.
      assert.ok(line!.includes(",'=Muna,A-1"), line);
      assert.match(lines.find((one) => one.includes('96890131026'))!, /131026: /);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it(`pauses, goes on and cancels, as a colleague sees at once (${locale})`, async () => {
      const workspace = await majlis.workspace();
      const member = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
      const colleague = await joinWorkspace(majlis, workspace, { role: 'admin', name: 'Muna Salim' });
      await setTier(workspace, 2);
      const recipients = Array.from({ length: 5 }, () => ({ to: `+${newDigits()}`, params: ['Muna', 'A-1'] }));
      const { id } = await create(workspace, { recipients });
      await untilCounts(workspace, id, { read: 2, queued: 3 });
      const path = `/w/${workspace.id}/broadcasts/${id}`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const main = page.getByRole('main');
      const press = (name: string) => main.getByRole('button', { name, exact: true }).click();

      await main.getByRole('button', { name: word.pause, exact: true }).waitFor();
      assert.equal((await colleague.at('POST', `/broadcast-states/${id}/pause`)).status, 200);
      await main.getByText(word.paused).waitFor();
      await press(word.resume);
      await press(word.pause);
      await main.getByRole('button', { name: word.resume, exact: true }).waitFor();
      await press(word.cancel);
      const dialog = page.getByRole('dialog');
      await dialog.getByText(word.cancel_hint).waitFor();
      await dialog.getByRole('button', { name: word.cancel, exact: true }).click();
      await main.getByText(word.cancelled, { exact: true }).first().waitFor();
      await main.getByRole('button', { name: word.resume, exact: true }).waitFor({ state: 'detached' });
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }

  it('is no page for an agent', async () => {
    const workspace = await majlis.workspace();
    const member = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const path = `/w/${workspace.id}/members`;
    const { page, context } = await openSignedIn(pages, { url: majlis.url, member, path });
    assert.equal(await page.getByRole('link', { name: 'Broadcasts' }).count(), 0);
    await page.goto(`${majlis.url}/w/${workspace.id}/broadcasts`);
    await page.getByRole('heading', { name: 'This page is not open to you' }).waitFor();
    await context.close();
  });
});
