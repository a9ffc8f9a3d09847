import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawn } from '@majlis/testing/drawn';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, password } from '@majlis/testing/people';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);

const words = {
  en: { none: 'No stage', more: 'Show more', undo: 'Undo', menu: 'Stage of', drag: 'Drag', mine: 'Mine', all: 'All' },
  ar: {
    none: 'بلا مرحلة',
    more: 'عرض المزيد',
    undo: 'تراجع',
    menu: 'مرحلة',
    drag: 'سحب',
    mine: 'محادثاتي',
    all: 'الكل',
  },
};
type Locale = keyof typeof words;

async function setScene(locale: Locale, conversations: number, width = 1280) {
  const workspace = await majlis.workspace({ stages: [{ name: 'Lead' }, { name: 'Won' }] });
  const owner = await joinWorkspace(majlis, workspace);
  const ids: string[] = [];
  for (let n = 0; n < conversations; n++) {
    const id = await receiveText(majlis, workspace, newDigits(), `Hello ${n}`);
    const { contact_id } = (await owner.at('GET', `/conversations/${id}`)).body;
    await owner.at('PATCH', `/contacts/${contact_id}`, { name: `Customer ${n}` });
    await owner.at('POST', `/conversations/${id}/assign`, { assignee_id: n === 0 ? owner.user_id : null });
    ids.push(id);
  }
  const { page, context, troubles } = await pages.open({ locale, viewport: { width, height: 900 } });
  await context.request.post(`${majlis.url}/console/v1/sign-in`, { data: { email: owner.email, password } });
  await page.goto(`${majlis.url}/w/${workspace.id}/board`);
  // A column begins with the latest ones.
  await card(page, `Customer ${conversations - 1}`).waitFor();
  const stage = (name: string) =>
    workspace.applied.stages.find((one: { name: string }) => one.name === name)?.id as string;
  const stageOf = async (n: number) => (await owner.at('GET', `/conversations/${ids[n]}`)).body.stage_id;
  return { workspace, owner, ids, page, context, troubles, stage, stageOf, w: words[locale] };
}

const column = (page: Page, name: string) => page.getByRole('region', { name });
const card = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

async function untilIn(page: Page, stage: string, name: string): Promise<void> {
  await column(page, stage)
    .getByRole('row', { name: new RegExp(name) })
    .waitFor();
}

async function untilFocused(page: Page, name: string): Promise<void> {
  await eventually(
    () => page.evaluate('document.activeElement.closest("[role=row]")?.getAttribute("aria-label")'),
    (label) => typeof label === 'string' && label.includes(name),
  );
}

async function untilCounts(page: Page, counts: number[]): Promise<void> {
  await eventually(
    () => page.locator('section > header > [role=img]').allInnerTexts(),
    (texts) => texts.join() === counts.join(),
  );
}

const noStage = 'none';

/** Another customer writes, so the page reads each column again. Resolves when it shows what it has read. */
async function untilReadAgain(page: Page, workspace: TestWorkspace, stage_ids: readonly string[]): Promise<void> {
  const readings = stage_ids.map(async (id) => {
    const asked = await page.waitForRequest(`**/board/${id}?*`);
    await (await asked.response())!.finished();
  });
  const id = await receiveTextOf(workspace);
  await Promise.all(readings);
  await page.locator(`[role=row][data-key="${id}"]`).waitFor();
  await drawn(page);
}

describe('the board of stages', () => {
  for (const locale of Object.keys(words) as Locale[]) {
    it(`moves a card by the pointer, and takes it back (${locale})`, async () => {
      const { page, context, stage, stageOf, troubles, w } = await setScene(locale, 2);
      await untilCounts(page, [2, 0, 0]);
      await card(page, 'Customer 1').dragTo(column(page, 'Lead').getByRole('grid'));
      await untilIn(page, 'Lead', 'Customer 1');
      // The offer stands ten seconds, and as long as the pointer is on it.
      const undo = page.getByRole('button', { name: w.undo });
      await undo.hover();
      await eventually(
        () => stageOf(1),
        (id) => id === stage('Lead'),
      );
      await untilCounts(page, [1, 1, 0]);
      await undo.click();
      await untilIn(page, w.none, 'Customer 1');
      await eventually(
        () => stageOf(1),
        (id) => id === undefined,
      );
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it(`moves a card by the keyboard alone, by its handle and by its menu (${locale})`, async () => {
      const { page, context, workspace, stage, stageOf, w } = await setScene(locale, 1);
      await page.getByRole('button', { name: new RegExp(`^${w.drag}`) }).focus();
      await page.keyboard.press('Enter');
      // The drag begins with the next frame, and takes the focus to the first place.
      const isAtGrip = () => page.evaluate('document.activeElement.matches("[slot=drag]")');
      await eventually(isAtGrip, (isThere) => !isThere);
      // The keyboard goes to the next place that takes the card.
      for (let presses = 0; presses < 4; presses++) {
        const label = await page.evaluate('document.activeElement.closest("section")?.querySelector("h2").textContent');
        if (label === 'Won') break;
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      await untilIn(page, 'Won', 'Customer 0');
      await eventually(
        () => stageOf(0),
        (id) => id === stage('Won'),
      );
      const menu = page.getByRole('button', { name: new RegExp(`^${w.menu}.*Customer 0`) });
      await untilFocused(page, 'Customer 0');
      await untilReadAgain(page, workspace, [noStage, stage('Lead'), stage('Won')]);
      await untilFocused(page, 'Customer 0');
      await menu.focus();
      await page.keyboard.press('Enter');
      await page.locator('[role=menuitemradio]:focus', { hasText: 'Won' }).waitFor();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await untilIn(page, 'Lead', 'Customer 0');
      await eventually(
        () => stageOf(0),
        (id) => id === stage('Lead'),
      );
      await untilFocused(page, 'Customer 0');
      await context.close();
    });
  }

  it('leaves a card in its new place while the columns are read before the move is answered', async () => {
    const { page, context, workspace, stage, stageOf, w } = await setScene('en', 1);
    const answer = Promise.withResolvers<void>();
    await page.route('**/stage', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await card(page, 'Customer 0').dragTo(column(page, 'Won').getByRole('grid'));
    await untilIn(page, 'Won', 'Customer 0');
    const reading = page.waitForResponse('**/board/none?*');
    await receiveTextOf(workspace);
    await (await reading).finished();
    await column(page, w.none).getByRole('row', { name: 'Muna' }).waitFor();
    assert.equal(await column(page, 'Won').getByRole('row').count(), 1);
    answer.resolve();
    await eventually(
      () => stageOf(0),
      (id) => id === stage('Won'),
    );
    await context.close();
  });

  it('leaves a card in its new place while its old column is read after the move, and the new one was before', async () => {
    const { page, context, workspace, stage, stageOf, w } = await setScene('en', 1);
    const answer = Promise.withResolvers<void>();
    await page.route('**/stage', async (route) => {
      const response = await route.fetch();
      await answer.promise;
      await route.fulfill({ response });
    });
    const readingsOfWon = `**/board/${stage('Won')}?*`;
    await page.route(readingsOfWon, (route) => route.fulfill({ json: { data: [] } }));
    await card(page, 'Customer 0').dragTo(column(page, 'Won').getByRole('grid'));
    await eventually(
      () => stageOf(0),
      (id) => id === stage('Won'),
    );
    await untilIn(page, 'Won', 'Customer 0');
    await page.evaluate(`globalThis.isLost = false;
      new MutationObserver(() => { isLost ||= !document.querySelector('[data-stage="${stage('Won')}"] [data-key]'); })
        .observe(document.body, { childList: true, subtree: true })`);
    // The events of one message may come apart: the second time, all of the first are read.
    for (let time = 0; time < 2; time++) await untilReadAgain(page, workspace, [noStage, stage('Won')]);
    await page.unroute(readingsOfWon);
    answer.resolve();
    await page.getByRole('button', { name: w.undo }).waitFor();
    await untilReadAgain(page, workspace, [noStage, stage('Won')]);
    assert.equal(await page.evaluate('isLost'), false);
    await context.close();
  });

  it('follows what others do, and shows the own ones on demand', async () => {
    const { page, context, owner, ids, stage, workspace, w } = await setScene('en', 2);
    await owner.at('PUT', `/conversations/${ids[1]}/stage`, { stage_id: stage('Won') });
    await untilIn(page, 'Won', 'Customer 1');
    await owner.at('POST', `/conversations/${ids[1]}/close`, {});
    await card(page, 'Customer 1').waitFor({ state: 'detached' });
    await untilCounts(page, [1, 0, 0]);
    await receiveTextOf(workspace);
    await untilCounts(page, [2, 0, 0]);
    await page.getByRole('button', { name: new RegExp(w.all) }).click();
    await page.getByRole('option', { name: w.mine }).click();
    await untilCounts(page, [1, 0, 0]);
    await eventually(
      () => card(page, 'Customer|Muna').count(),
      (count) => count === 1,
    );
    await card(page, 'Customer 0').click();
    await page.waitForURL(`**/inbox/${ids[0]}`);
    await context.close();
  });

  it('keeps the text of a card while more customers change at once than rows are told, after a visit to the inbox', async () => {
    const { page, context, owner, ids, workspace } = await setScene('en', 21);
    await page.locator('nav a[href$="/inbox"]').first().click();
    await page.locator(`main a[data-id="${ids[20]}"]`).waitFor();
    await page.locator('nav a[href$="/board"]').first().click();
    await card(page, 'Customer 20').getByText('Hello 20').waitFor();
    await page.evaluate(`{
      const card = document.querySelector('[role=row][aria-label*="Customer 20"]');
      window.missed = 0;
      new MutationObserver(() => {
        if (!card.textContent.includes('Hello 20')) window.missed++;
      }).observe(card, { subtree: true, childList: true, characterData: true });
    }`);
    const contacts = await Promise.all(
      ids.map(async (id, n) => {
        const { contact_handle } = (await owner.at('GET', `/conversations/${id}`)).body;
        const identities = [{ channel_type: 'chatapp', identifier: contact_handle }];
        return { name: `Client ${n}`, identities };
      }),
    );
    const { status, text } = await workspace.api.post('/contacts/import', { contacts });
    assert.equal(status, 200, text);
    await card(page, 'Client 20').getByText('Hello 20').waitFor();
    assert.equal(await page.evaluate('window.missed'), 0);
    await context.close();
  });

  it('says where an Arabic name went in the direction of the sentence', async () => {
    const { page, context, owner, ids } = await setScene('en', 1);
    const { contact_id } = (await owner.at('GET', `/conversations/${ids[0]}`)).body;
    await owner.at('PATCH', `/contacts/${contact_id}`, { name: 'نورة' });
    await card(page, 'نورة').dragTo(column(page, 'Won').getByRole('grid'));
    const said = page.getByRole('alertdialog').getByText('نورة');
    await said.waitFor();
    const lefts = await said.evaluate((element: AnyJson) => {
      const text = element.firstChild;
      return ['نورة', 'Won'].map((word) => {
        const range = element.ownerDocument.createRange();
        const from = text.data.indexOf(word);
        range.setStart(text, from);
        range.setEnd(text, from + word.length);
        return range.getBoundingClientRect().left as number;
      });
    });
    assert.ok(lefts[0]! < lefts[1]!, lefts.join());
    await context.close();
  });

  it('says that nobody has a card only where nobody has it', async () => {
    const { page, context } = await setScene('en', 2);
    const answer = Promise.withResolvers<void>();
    await page.route('**/users', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.reload();
    await card(page, 'Customer 1').getByText('Nobody').waitFor();
    assert.equal(await card(page, 'Customer 0').getByText('Nobody').count(), 0);
    answer.resolve();
    await eventually(
      () => card(page, 'Customer 0').locator('bdi').last().innerText(),
      (name) => name !== '',
    );
    await context.close();
  });

  it('puts a card back where the service refuses the move', async () => {
    const { page, context, w } = await setScene('en', 1);
    await page.route('**/stage', (route) => route.fulfill({ status: 503, json: { code: 'service_unavailable' } }));
    await card(page, 'Customer 0').dragTo(column(page, 'Won').getByRole('grid'));
    await page.getByRole('alertdialog').waitFor();
    await untilIn(page, w.none, 'Customer 0');
    await context.close();
  });

  it('shows one column at a time on a phone, in pages', async () => {
    const { page, context, w } = await setScene('en', 27, 360);
    const first = column(page, w.none);
    await eventually(
      () => first.getByRole('row').count(),
      (count) => count === 25,
    );
    await first.getByRole('button', { name: w.more }).click();
    await eventually(
      () => first.getByRole('row').count(),
      (count) => count === 27,
    );
    const widths = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number];
    assert.ok(widths[0] <= widths[1], widths.join());
    const box = (await first.boundingBox())!;
    assert.ok(box.width > 280 && box.width < 360, JSON.stringify(box));
    await context.close();
  });
});

const receiveTextOf = (workspace: TestWorkspace) => receiveText(majlis, workspace, newDigits());
