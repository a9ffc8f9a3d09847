import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { holdReadings } from '@majlis/testing/hold-readings';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, receiveText } from '@majlis/testing/notifications';
import { openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({ stages: [{ name: 'Lead' }, { name: 'Won' }] });
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const omar = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Omar' });
const pages = await openPages(majlis);
for (const field of [
  { key: 'city', label: 'City', type: 'text' },
  { key: 'budget', label: 'Budget', type: 'number' },
  { key: 'moves', label: 'Moves on', type: 'date' },
  { key: 'pets', label: 'Pets', type: 'boolean' },
  { key: 'area', label: 'Area', type: 'select', options: ['Qurum', 'Al Mouj'] },
]) {
  assert.equal((await aisha.at('POST', '/custom-fields', field)).status, 201);
}

const words = {
  en: {
    ...{ edit: 'Edit', save: 'Save', name: 'Name', email: 'E-mail address', none: 'None', yes: 'Yes' },
    ...{ conflict: 'Somebody has changed this meanwhile', keep: 'Keep what is there', take: 'Save yours' },
    ...{ add: 'Add a tag', remove: 'Remove the tag', gone: 'This contact was erased', withdrawn: 'Withdrawn' },
    ...{ agreed: 'Agreed', written: 'Written by the contact', record: 'Record a consent', important: 'Important' },
    ...{ full: 'Full record', panel: 'Contact', erase: 'Erase', erase_it: 'Erase for good', merge: 'Merge' },
    ...{ toggle: 'Details of the contact', shown: 'What the contact was shown or told' },
    ...{ language: 'Language', arabic: 'Arabic', stage: 'Stage' },
  },
  ar: {
    ...{ edit: 'تعديل', save: 'حفظ', name: 'الاسم', email: 'البريد الإلكتروني', none: 'لا يوجد', yes: 'نعم' },
    ...{ conflict: 'غيّر أحدهم هذه القيمة في الأثناء', keep: 'الإبقاء على الحالية', take: 'حفظ قيمتك' },
    ...{ add: 'إضافة وسم', remove: 'إزالة الوسم', gone: 'حُذفت جهة الاتصال هذه', withdrawn: 'سُحبت الموافقة' },
    ...{ agreed: 'موافق', written: 'برسالة من جهة الاتصال', record: 'تسجيل موافقة', important: 'عميل مهم' },
    ...{ full: 'السجل الكامل', panel: 'جهة الاتصال', erase: 'حذف نهائي', erase_it: 'حذف نهائي', merge: 'دمج' },
    ...{ toggle: 'تفاصيل جهة الاتصال', shown: 'ما عُرض على جهة الاتصال أو قيل لها' },
    ...{ language: 'اللغة', arabic: 'العربية', stage: 'المرحلة' },
  },
};
type Locale = keyof typeof words;
const locales: Locale[] = ['en', 'ar'];

interface Customer {
  digits: string;
  conversation_id: string;
  contact_id: string;
}

async function newCustomer(): Promise<Customer> {
  const digits = newDigits();
  const conversation_id = await receiveText(majlis, workspace, digits);
  const { contact_id } = (await aisha.at('GET', `/conversations/${conversation_id}`)).body;
  return { digits, conversation_id, contact_id };
}

const contactOf = async ({ contact_id }: Pick<Customer, 'contact_id'>) =>
  (await aisha.at('GET', `/contacts/${contact_id}`)).body;

async function openPanel(member: Member, { conversation_id }: Customer, locale: Locale = 'en', width = 1440) {
  const at = { url: majlis.url, workspace, member, conversation_id };
  const opened = await openComposer(pages, at, { locale, viewport: { width, height: 900 } });
  const { page } = opened;
  if (width < 1280) await page.getByRole('button', { name: words[locale].toggle }).first().click();
  const panel =
    width < 1280 ? page.getByRole('dialog') : page.getByRole('complementary', { name: words[locale].panel });
  await panel.locator('h3').first().waitFor();
  return { ...opened, panel, w: words[locale] };
}
type Panel = Awaited<ReturnType<typeof openPanel>>;

async function type({ panel, w }: Panel, label: string, text: string): Promise<void> {
  await panel.getByRole('button', { name: `${w.edit} ${label}` }).click();
  const input = panel.getByLabel(label, { exact: true });
  await input.fill(text);
  await input.press('Enter');
}

async function choose({ panel, page }: Panel, label: string, option: string): Promise<void> {
  await panel
    .getByRole('button', { name: new RegExp(`^.*${label}`) })
    .first()
    .click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

interface EditedMember {
  label: string;
  member: string;
  /** What a colleague sets while the page shows nothing; the person chooses another value. */
  theirs: unknown;
  change(panel: Panel, label: string): Promise<void>;
}

/** Every member that is edited in its place. Tags and consents have tests of their own: nothing of them is replaced. */
function membersOf(locale: Locale): EditedMember[] {
  const { email, language, arabic, stage, yes } = words[locale];
  const typed = (text: string) => (panel: Panel, label: string) => type(panel, label, text);
  const chosen = (option: string) => (panel: Panel, label: string) => choose(panel, label, option);
  return [
    { label: email, member: 'email', theirs: 'theirs@example.com', change: typed('mine@example.com') },
    { label: 'City', member: 'city', theirs: 'Sohar', change: typed('Muscat') },
    { label: 'Budget', member: 'budget', theirs: 100, change: typed('200') },
    { label: 'Moves on', member: 'moves', theirs: '2026-12-01', change: typed('2026-12-24') },
    { label: 'Pets', member: 'pets', theirs: false, change: chosen(yes) },
    { label: 'Area', member: 'area', theirs: 'Qurum', change: chosen('Al Mouj') },
    { label: language, member: 'language', theirs: 'en', change: chosen(arabic) },
    { label: stage, member: 'stage_id', theirs: workspace.applied.stages[0].id, change: chosen('Won') },
  ];
}

describe('the contact beside a conversation', () => {
  it('covers no conversation where the window becomes narrow, and is back once it is wide', async () => {
    const { page, panel, context, w } = await openPanel(aisha, await newCustomer());
    await page.setViewportSize({ width: 900, height: 900 });
    await page.locator('section[data-mode=reply] textarea').click();
    await page.getByRole('button', { name: w.toggle }).first().click();
    await page.getByRole('dialog').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await panel.waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await context.close();
  });

  for (const locale of languages) {
    it(`is edited in its place, and others see it at once (${locale})`, async () => {
      const customer = await newCustomer();
      const panel = await openPanel(aisha, customer, locale);
      const other = await openPanel(omar, customer, locale);
      const { w } = panel;
      await type(panel, w.name, 'منى السعيدية');
      await other.panel.getByText('منى السعيدية').first().waitFor();
      await type(panel, w.email, 'muna@example.com');
      await other.panel.getByText('muna@example.com').waitFor();
      await panel.panel.getByText(w.important, { exact: true }).click();
      await eventually(
        () => contactOf(customer),
        ({ vip }) => vip === true,
      );
      const { name, email } = await contactOf(customer);
      assert.deepEqual([name, email], ['منى السعيدية', 'muna@example.com']);
      assert.deepEqual([...panel.troubles, ...other.troubles], []);
      await Promise.all([panel.context.close(), other.context.close()]);
    });

    it(`takes the values of custom fields by their types (${locale})`, async () => {
      const customer = await newCustomer();
      const panel = await openPanel(aisha, customer, locale);
      await type(panel, 'City', 'Muscat');
      await type(panel, 'Budget', '٤٥٠');
      await panel.panel.getByText('450', { exact: true }).waitFor();
      await type(panel, 'Moves on', '2026-12-01');
      await choose(panel, 'Pets', panel.w.yes);
      await choose(panel, 'Area', 'Al Mouj');
      const wanted = { city: 'Muscat', budget: 450, moves: '2026-12-01', pets: true, area: 'Al Mouj' };
      const { custom_fields } = await eventually(
        () => contactOf(customer),
        (now) => Object.keys(now.custom_fields).length === Object.keys(wanted).length,
      );
      assert.deepEqual(custom_fields, wanted);
      await type(panel, 'Budget', 'many');
      await panel.panel.getByRole('alert').waitFor();
      assert.equal((await contactOf(customer)).custom_fields.budget, 450);
      await panel.context.close();
    });

    it(`shows both values where two people changed one, and overwrites nothing (${locale})`, async () => {
      const customer = await newCustomer();
      const panel = await openPanel(aisha, customer, locale);
      const { w, page } = panel;
      await panel.panel.getByRole('button', { name: `${w.edit} ${w.name}` }).click();
      const input = panel.panel.getByLabel(w.name, { exact: true });
      await input.fill('Mona');
      await omar.at('PATCH', `/contacts/${customer.contact_id}`, { name: 'Muna Said' });
      await input.press('Enter');
      const conflict = panel.panel.getByRole('alert');
      await conflict.getByText(w.conflict).waitFor();
      assert.deepEqual(await conflict.locator('dd').allInnerTexts(), ['Muna Said', 'Mona']);
      assert.equal((await contactOf(customer)).name, 'Muna Said');
      await conflict.getByRole('button', { name: w.take }).click();
      await eventually(
        () => contactOf(customer),
        ({ name }) => name === 'Mona',
      );
      await conflict.waitFor({ state: 'detached' });
      // The other way: what is there stays.
      await panel.panel.getByRole('button', { name: `${w.edit} ${w.name}` }).click();
      await panel.panel.getByLabel(w.name, { exact: true }).fill('Nobody');
      await omar.at('PATCH', `/contacts/${customer.contact_id}`, { name: 'Muna Ali' });
      await panel.panel.getByLabel(w.name, { exact: true }).press('Enter');
      await conflict.getByRole('button', { name: w.keep }).click();
      await panel.panel.getByText('Muna Ali').first().waitFor();
      assert.equal((await contactOf(customer)).name, 'Muna Ali');
      await page.context().close();
    });

    it(`asks in each member where two people changed it, and overwrites nothing unseen (${locale})`, async () => {
      const customer = await newCustomer();
      const path = `/contacts/${customer.contact_id}`;
      const panel = await openPanel(aisha, customer, locale);
      const { w, page } = panel;
      const conflict = panel.panel.getByRole('alert');
      const news = await holdReadings(page, `**${path}`);
      for (const { label, member, theirs, change } of membersOf(locale)) {
        const read = async () => {
          const contact = await contactOf(customer);
          return contact[member] ?? contact.custom_fields[member];
        };
        const fields = ['city', 'budget', 'moves', 'pets', 'area'].includes(member);
        const changes = fields ? { custom_fields: { [member]: theirs } } : { [member]: theirs };
        // The page hears nothing of the colleague until the person has saved.
        await news.hold();
        const saved = page.waitForResponse((response) => response.url().endsWith(`${path}/edit`));
        const { status, body } = await omar.at('POST', `${path}/edit`, { changes });
        assert.equal(status, 200, `${label}: ${JSON.stringify(body)}`);
        await change(panel, label);
        assert.equal((await saved).status(), 409, label);
        news.letGo();
        await conflict.getByText(w.conflict).waitFor();
        assert.deepEqual(await read(), theirs, label);
        await conflict.getByRole('button', { name: w.take }).click();
        await conflict.waitFor({ state: 'detached' });
        await eventually(read, (value) => value !== theirs);
      }
      assert.deepEqual(panel.troubles, []);
      await page.context().close();
    });

    it(`gets tags with suggestions, and loses them (${locale})`, async () => {
      const other = await newCustomer();
      await aisha.at('POST', `/contacts/${other.contact_id}/edit`, { add_tags: [`villa-${locale}`] });
      const customer = await newCustomer();
      const panel = await openPanel(aisha, customer, locale);
      const { w, page } = panel;
      await panel.panel.getByRole('button', { name: w.add }).click();
      const input = panel.panel.getByRole('combobox', { name: w.add });
      await input.fill('villa');
      await page.getByRole('option', { name: `villa-${locale}` }).click();
      await panel.panel.getByRole('button', { name: new RegExp(`${w.remove}.*villa`) }).waitFor();
      await panel.panel.getByRole('button', { name: w.add }).click();
      await input.fill('مهتم');
      await input.press('Enter');
      await eventually(
        () => contactOf(customer),
        ({ tags }) => tags.join() === `villa-${locale},مهتم`,
      );
      // A colleague adds another one meanwhile.
      await omar.at('POST', `/contacts/${customer.contact_id}/edit`, { add_tags: ['late'] });
      await panel.panel.getByRole('button', { name: new RegExp(`${w.remove}.*villa`) }).click();
      await eventually(
        () => contactOf(customer),
        ({ tags }) => tags.toSorted().join() === 'late,مهتم',
      );
      await panel.panel.getByText('late').waitFor();
      await page.context().close();
    });

    it(`tells how its consents came about (${locale})`, async () => {
      const customer = await newCustomer();
      const panel = await openPanel(omar, customer, locale);
      const { w, page } = panel;
      await panel.panel.getByRole('button', { name: w.record }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(w.shown).fill('May we write to you?');
      await dialog.getByRole('button', { name: w.save }).click();
      await panel.panel.getByText('May we write to you?').waitFor();
      await majlis.advance(2);
      const { body } = await majlis.operator('GET', '/clock');
      const timestamp = String(Math.floor(Date.parse(body.now) / 1000));
      const messages = [platformText(customer.digits, 'إيقاف', { timestamp })];
      await postNotification(majlis, workspace, {
        contacts: [{ profile: { name: 'Muna' }, wa_id: customer.digits }],
        messages,
      });
      await panel.panel.getByText(w.written).waitFor();
      const entries = panel.panel.locator('ol > li');
      assert.match(await entries.first().innerText(), new RegExp(`${w.withdrawn}[^]*إيقاف`));
      assert.match(await entries.last().innerText(), new RegExp(`${w.agreed}[^]*Omar`));
      await panel.panel.getByRole('link', { name: w.full }).click();
      const rows = page.locator('tbody tr');
      await rows.first().waitFor();
      assert.equal(await rows.count(), 2);
      // On paper the record stands alone.
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.locator('nav').isVisible(), false);
      assert.equal(await rows.first().isVisible(), true);
      assert.deepEqual(panel.troubles, []);
      await page.context().close();
    });

    it(`vanishes from the tab of another person when it is erased (${locale})`, async () => {
      const customer = await newCustomer();
      await aisha.at('PATCH', `/contacts/${customer.contact_id}`, { name: `Erased ${locale}` });
      const panel = await openPanel(omar, customer, locale);
      const draft = panel.reply;
      await draft.fill('A secret of the customer');
      await panel.page.getByText(`Erased ${locale}`).first().waitFor();
      const own = await openPanel(aisha, customer, locale);
      await own.panel.getByRole('button', { name: own.w.erase, exact: true }).click();
      await own.page.getByRole('dialog').getByRole('button', { name: own.w.erase_it, exact: true }).click();
      // Whoever erased goes on to the receipt.
      await own.page.waitForURL(`**/receipts/${customer.contact_id}`);
      await panel.page.getByRole('heading', { name: panel.w.gone }).waitFor();
      for (const { page } of [panel, own]) {
        await eventually(
          () => page.locator('body').innerText(),
          (text) => !text.includes(`Erased ${locale}`) && !text.includes(customer.digits),
        );
        assert.ok(!(await page.content()).includes('A secret of the customer'));
        const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage])');
        assert.ok(!String(stored).includes(customer.contact_id));
      }
      await Promise.all([panel.context.close(), own.context.close()]);
    });
  }

  it('asks for a proof of identity before an erasure, where the last one is old', async () => {
    const customer = await newCustomer();
    const panel = await openPanel(aisha, customer);
    await majlis.advance(601);
    await panel.panel.getByRole('button', { name: 'Erase', exact: true }).click();
    await panel.page.getByRole('dialog').getByRole('button', { name: 'Erase for good' }).click();
    await panel.page.getByLabel('Password', { exact: true }).fill(password);
    await panel.page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await panel.page.waitForURL(`**/receipts/${customer.contact_id}`);
    assert.equal((await aisha.at('GET', `/contacts/${customer.contact_id}`)).status, 404);
    await panel.context.close();
  });

  it('is merged with another by supervisors, who see what moves', async () => {
    const [survivor, source] = [await newCustomer(), await newCustomer()];
    await aisha.at('POST', `/contacts/${source.contact_id}/edit`, {
      changes: { name: 'Twin of Muna' },
      add_tags: ['twin'],
    });
    const panel = await openPanel(aisha, survivor);
    await panel.panel.getByRole('button', { name: 'Merge' }).click();
    const dialog = panel.page.getByRole('dialog');
    await dialog.getByRole('searchbox').fill('Twin');
    await dialog.getByRole('button', { name: /Twin of Muna/ }).click();
    await dialog.locator('dd').first().waitFor();
    assert.deepEqual(await dialog.locator('dd').allInnerTexts(), ['1', '1', '1', '0', '0']);
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await panel.panel.getByText(`+${source.digits}`).waitFor();
    assert.deepEqual((await contactOf(survivor)).tags, ['twin']);
    assert.equal((await aisha.at('GET', `/contacts/${source.contact_id}`)).status, 404);
    const agents = await openPanel(omar, survivor);
    assert.equal(await agents.panel.getByRole('button', { name: /^(Merge|Erase)$/ }).count(), 0);
    await Promise.all([panel.context.close(), agents.context.close()]);
  });

  it('holds its layout with hostile names, tags and values on a phone', async () => {
    const customer = await newCustomer();
    const names = [
      '\u202e\u2066evil\u202d \u200f\u202egpj.exe',
      'W'.repeat(512),
      '👩‍👩‍👧‍👦'.repeat(40),
      `e${'\u0301'.repeat(300)}`,
      '<img src=x onerror=alert(1)>',
    ];
    const tags = Array.from({ length: 500 }, (_, n) => `${names[n % names.length]!.slice(0, 80)} ${n}`);
    await aisha.at('POST', `/contacts/${customer.contact_id}/edit`, { add_tags: tags });
    for (const [n, name] of names.entries()) {
      const changed = await aisha.at('POST', `/contacts/${customer.contact_id}/edit`, {
        changes: { name, custom_fields: { city: name } },
      });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      const locale = locales[n % 2]!;
      const panel = await openPanel(omar, customer, locale, 360);
      assert.ok((await contactOf(customer)).tags.length === 500);
      await assertFits(panel.page, panel.panel);
      await panel.panel.getByRole('button', { name: /(?<!\d)500(?!\d)/ }).click();
      await assertFits(panel.page, panel.panel);
      assert.deepEqual(panel.troubles, []);
      await panel.context.close();
    }
  });
});

/** Nothing is wider than the screen, and no text leaves the panel at its sides. */
async function assertFits(page: Page, panel: Panel['panel']): Promise<void> {
  const widths = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
  const [content, screen] = widths as [number, number];
  assert.ok(content <= screen, `the page is ${content} wide on a screen of ${screen}`);
  const box = (await panel.boundingBox())!;
  assert.ok(box.x >= 0 && box.x + box.width <= screen + 1, JSON.stringify(box));
  const wide = await panel.evaluate((element: { querySelectorAll(s: string): Iterable<ElementLike> }) =>
    [...element.querySelectorAll('section, ul, li, form, h3')]
      .filter(
        ({ scrollWidth, clientWidth, tagName }) => clientWidth > 0 && scrollWidth > clientWidth + 1 && tagName !== 'LI',
      )
      .map(({ className, scrollWidth, clientWidth }) => `${className} ${scrollWidth} > ${clientWidth}`),
  );
  assert.deepEqual(wide, []);
}

interface ElementLike {
  scrollWidth: number;
  clientWidth: number;
  tagName: string;
  className: string;
}
