import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

// A review ends when the test says so: the page shows the waiting too.
const delays = { sent_ms: 5, delivered_ms: 15, read_ms: 25, review_ms: null };
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' }, simulator: { delays } });
const pages = await openPages(majlis);

async function review(name: string, verdict: { status: string; reason?: string }): Promise<void> {
  const headers = { authorization: `Bearer ${majlis.simulator.control_token}`, 'content-type': 'application/json' };
  const control = `${majlis.simulator.url}/control/templates`;
  // The page shows it before the platform has it.
  const waiting = await eventually(
    async () => {
      const all = (await (await fetch(control, { headers })).json()) as AnyJson[];
      return all.find((one) => one.name === name && one.status === 'PENDING');
    },
    (one) => one !== undefined,
  );
  const answer = await fetch(`${control}/${waiting!.id}`, { method: 'PATCH', headers, body: JSON.stringify(verdict) });
  assert.equal(answer.status, 200, await answer.text());
}

const words = {
  en: {
    add_button: 'Add a button',
    any_quality: 'Any quality',
    figure_read: 'Read',
    left_to_right: 'Left to right',
    low: 'Low',
    approved: 'Approved',
    body: 'Text',
    button_text: 'Text of button 1',
    delete: 'Delete',
    delete_hint: /1 waiting broadcast uses it and will fail\./,
    delete_workflows: '1 workflow sends it: that step will fail. Change it first.',
    edge: 'A variable may stand neither at the beginning nor at the end.',
    example: 'Example of',
    footer: 'Footer',
    name: 'Name',
    name_fault: 'Use small Latin letters, digits and _ alone.',
    needed: 'Write something here.',
    new: 'New template',
    promotional: 'It advertises, so it belongs to the category Marketing.',
    quick_reply: 'Quick reply',
    review: 'In review',
    start: 'Use as a start',
    submit: 'Submit for review',
    taken: 'A template of this name exists in this language',
    text: 'Hello , your order has left.',
    variable: 'Insert a variable',
  },
  ar: {
    add_button: 'إضافة زر',
    any_quality: 'أي جودة',
    figure_read: 'قُرئت',
    left_to_right: 'من اليسار إلى اليمين',
    low: 'منخفضة',
    approved: 'معتمد',
    body: 'النص',
    button_text: 'نص الزر 1',
    delete: 'حذف',
    delete_hint: /يستعمله بث منتظر واحد وسيفشل/,
    delete_workflows: 'يرسله مسار عمل واحد وستفشل خطوته، فعدّله أولًا.',
    edge: 'لا يجوز أن يقع متغير في البداية أو النهاية.',
    example: 'مثال',
    footer: 'التذييل',
    name: 'الاسم',
    name_fault: 'استعمل الحروف اللاتينية الصغيرة والأرقام و _ فقط.',
    needed: 'اكتب شيئًا هنا.',
    new: 'قالب جديد',
    promotional: 'فيه ترويج، فهو من فئة التسويق.',
    quick_reply: 'رد سريع',
    review: 'قيد المراجعة',
    start: 'استعمله كبداية',
    submit: 'تقديم للمراجعة',
    taken: 'يوجد قالب بهذا الاسم في هذه اللغة',
    text: 'مرحبًا ، طلبك في الطريق.',
    variable: 'إدراج متغير',
  },
};

describe('the page of templates', () => {
  for (const locale of languages) {
    const word = words[locale];
    it(`writes a template, follows its review and deletes it (${locale})`, async () => {
      const workspace = await majlis.workspace({ templates: [] });
      const member = await joinWorkspace(majlis, workspace, { role: 'admin' });
      const path = `/w/${workspace.id}/templates`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const main = page.getByRole('main');
      const press = (name: string) => main.getByRole('button', { name, exact: true }).click();
      const field = (name: string) => main.getByLabel(name, { exact: true });

      await press(word.new);
      // The platform's rules are told while the person types, but for what is still empty.
      await field(word.name).fill('Order Update');
      await main.getByText(word.name_fault).waitFor();
      await press(word.variable);
      await main.getByText(word.edge).waitFor();
      assert.equal(await main.getByText(word.needed).count(), 0);
      await press(word.submit);
      await main.getByText(word.needed).waitFor();
      await field(word.name).fill('order_left');
      await field(word.body).fill(word.text);
      // Behind the greeting.
      await field(word.body).evaluate((area) =>
        (area as unknown as { setSelectionRange(a: number, b: number): void }).setSelectionRange(6, 6),
      );
      await press(word.variable);
      await main.getByLabel(word.example).fill('Muna');
      await field(word.footer).fill('Majan Homes');
      await press(word.add_button);
      await page.getByRole('menuitem', { name: word.quick_reply }).click();
      await field(word.button_text).fill('OK 👍');
      // The customer's view has the example in the place of the variable.
      const preview = main.locator('[data-preview]');
      for (const text of ['Muna', 'Majan Homes', 'OK 👍']) await preview.getByText(text).first().waitFor();
      // The phone of the customer has a language of its own.
      await main.locator('[data-phone=rtl]').getByText('Muna').waitFor();
      await main.getByRole('button', { name: word.left_to_right }).click();
      await main.locator('[data-phone=ltr]').getByText('Muna').waitFor();
      await press(word.submit);

      await main.getByRole('heading', { name: 'order_left' }).waitFor();
      await main.getByText(word.review, { exact: true }).first().waitFor();
      // Nobody reloads: the review comes live.
      await review('order_left', { status: 'APPROVED' });
      await main.getByText(word.approved, { exact: true }).first().waitFor();
      const { data } = (await member.at('GET', '/chatapp/templates')).body;
      const made = data.find((one: AnyJson) => one.name === 'order_left');
      assert.deepEqual(made.components[0].examples, ['Muna']);
      assert.match(made.components[0].text, /\{\{1\}\}/);

      // What became of its messages.
      const { id: template_id, name: sent_name, language: sent_language } = made;
      const message = { kind: 'template', template: { name: sent_name, language: sent_language, params: ['Muna'] } };
      const sent = await member.at('POST', '/messages', { to: '+96891234000', ...message });
      assert.equal(sent.status, 201, JSON.stringify(sent.body));
      await eventually(
        async () => (await member.at('GET', `/messages/${sent.body.id}`)).body.status,
        (status) => status === 'read',
      );
      await page.goto(`${majlis.url}${path}/${template_id}`);
      await main.locator('dl div', { hasText: word.figure_read }).getByText('1', { exact: true }).waitFor();

      // The same name again, as another administrator may have taken it.
      await press(word.start);
      await field(word.name).fill('order_left');
      await press(word.submit);
      await main.getByText(word.taken).waitFor();
      await field(word.name).fill('order_promotional');
      // The platform takes no second template of the same text.
      await field(word.footer).fill('Majan');
      await press(word.submit);
      await main.getByRole('heading', { name: 'order_promotional' }).waitFor();
      await review('order_promotional', { status: 'REJECTED', reason: 'PROMOTIONAL' });
      await main.getByText(word.promotional).first().waitFor();

      await page.goto(`${majlis.url}${path}`);
      await main.getByRole('link', { name: 'order_promotional' }).waitFor();
      await main.getByText(word.promotional).waitFor();
      await main.getByRole('searchbox').fill('order_left');
      await main.getByRole('link', { name: 'order_promotional' }).waitFor({ state: 'detached' });
      await main.getByRole('searchbox').fill('');
      await majlis.sql(`update templates set quality = 'RED' where name = 'order_left'`);
      await page.reload();
      await main.getByRole('button', { name: word.any_quality }).click();
      await page.getByRole('option', { name: word.low, exact: true }).click();
      await main.getByRole('link', { name: 'order_promotional' }).waitFor({ state: 'detached' });
      await main.getByRole('link', { name: 'order_left' }).waitFor();

      const { name, language } = made;
      const broadcast = {
        name: 'Later',
        template: { name, language },
        audience: { recipients: [{ to: '+96891234567', params: ['Muna'] }] },
      };
      const later = await member.at('POST', '/broadcasts', { ...broadcast, send_at: '2100-01-01T00:00:00Z' });
      assert.equal(later.status, 201, JSON.stringify(later.body));
      const steps = [{ do: 'send_template', template: name, language, params: ['Muna'] }];
      const sending = { name: 'Send it', definition: { trigger: 'api_call', steps } };
      assert.equal((await member.at('POST', '/workflows', sending)).status, 201);
      await main.getByRole('link', { name: 'order_left' }).click();
      await press(word.delete);
      const dialog = page.getByRole('dialog');
      await dialog.getByText(word.delete_hint).waitFor();
      await dialog.getByText(word.delete_workflows).waitFor();
      await dialog.getByRole('button', { name: word.delete, exact: true }).click();
      await eventually(
        async () => (await member.at('GET', '/chatapp/templates')).body.data.map((one: AnyJson) => one.name),
        (names) => names.includes('order_promotional') && !names.includes('order_left'),
      );
      const actions = (await member.at('GET', '/audit')).body.data.map(({ action }: AnyJson) => action);
      for (const action of ['createTemplate', 'deleteTemplate']) assert.ok(actions.includes(action), action);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }

  it('is no page for an agent', async () => {
    const workspace = await majlis.workspace();
    const member = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const path = `/w/${workspace.id}/members`;
    const { page, context } = await openSignedIn(pages, { url: majlis.url, member, path });
    assert.equal(await page.getByRole('link', { name: 'Templates' }).count(), 0);
    await page.goto(`${majlis.url}/w/${workspace.id}/templates`);
    await page.getByRole('heading', { name: 'This page is not open to you' }).waitFor();
    await context.close();
  });
});
