import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import { startRun, untilRun } from '@majlis/testing/workflows';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);

const words = {
  en: {
    new: 'New workflow',
    name: 'Name',
    begin: 'Begin with',
    rating: 'A rating',
    create: 'Create as a draft',
    edit: 'Edit',
    add_first: 'Add a step at place 1',
    ask_person: 'Ask a person first',
    approval: /Waits 1 day for the approval of a person\./,
    set_tag: 'Set a tag',
    tag: 'Tag',
    apply: 'Apply',
    missing: 'Something is missing',
    ask: 'Ask',
    actions: 'Move or delete: Ask',
    up: 'Move up',
    save: 'Save as a new version',
    version: (version: number) => `Version ${version}`,
    restore: 'Restore version 1 as a new one',
    look: 'Look at version 1',
    publish: 'Publish',
    published: 'Published',
    dry_run: 'Dry run',
    start: 'Start the dry run',
    needs: 'The run would wait for the answer of the customer.',
    answers: 'What does the customer answer?',
    go_on: 'Go on with this answer',
    completed: 'The run would complete.',
    holds: 'Holds: steps.rating.answer is less than 3',
    runs: 'Runs',
    stands: 'Stands at: Ask.',
    cancel: 'Cancel the run',
    cancelled: 'Cancelled',
    versions: 'Versions',
    meanwhile: /saved version \d meanwhile/,
    with_theirs: 'With: Add a note: From Sara',
    mine: 'Save mine as version 5',
  },
  ar: {
    new: 'سير عمل جديد',
    name: 'الاسم',
    begin: 'ابدأ بـ',
    rating: 'تقييم',
    create: 'إنشاء كمسودة',
    edit: 'تحرير',
    add_first: 'إضافة خطوة في الموضع 1',
    ask_person: 'اطلب موافقة شخص أولًا',
    approval: /ينتظر موافقة شخص .+\./,
    set_tag: 'إضافة وسم',
    tag: 'الوسم',
    apply: 'تطبيق',
    missing: 'ينقص شيء',
    ask: 'سؤال',
    actions: 'نقل أو حذف: سؤال',
    up: 'نقل إلى أعلى',
    save: 'حفظ كإصدار جديد',
    version: (version: number) => `الإصدار ${version}`,
    restore: 'استعادة الإصدار 1 كإصدار جديد',
    look: 'عرض الإصدار 1',
    publish: 'نشر',
    published: 'منشور',
    dry_run: 'تجربة',
    start: 'بدء التجربة',
    needs: 'ستنتظر مرة التشغيل جواب العميل.',
    answers: 'بماذا يجيب العميل؟',
    go_on: 'المتابعة بهذا الجواب',
    completed: 'ستكتمل مرة التشغيل.',
    holds: 'متحقق: steps.rating.answer أصغر من 3',
    runs: 'مرات التشغيل',
    stands: 'عند الخطوة: سؤال.',
    cancel: 'إلغاء مرة التشغيل',
    cancelled: 'ملغاة',
    versions: 'الإصدارات',
    meanwhile: /الإصدار \d في الأثناء/,
    with_theirs: 'فيه: إضافة ملاحظة: From Sara',
    mine: 'حفظ تغييراتي كالإصدار 5',
  },
};

const plain = (text: string | null) => text?.replaceAll(/[\u2066-\u2069]/g, '') ?? '';

describe('the page of workflows', () => {
  for (const locale of languages) {
    const word = words[locale];
    it(`makes, edits, tries, publishes and follows a workflow (${locale})`, async () => {
      const workspace = await majlis.workspace();
      const member = await joinWorkspace(majlis, workspace, { role: 'admin', name: 'Muna' });
      const sara = await joinWorkspace(majlis, workspace, { role: 'admin', name: 'Sara' });
      const digits = newDigits();
      const conversation_id = await receiveText(majlis, workspace, digits);
      const { contact_id } = (await workspace.api.get(`/conversations/${conversation_id}`)).body;
      await workspace.api.request('PATCH', `/contacts/${contact_id}`, { name: 'Khalid' });
      const path = `/w/${workspace.id}/workflows`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const main = page.getByRole('main');
      const dialog = page.getByRole('dialog');
      const press = (name: string) => main.getByRole('button', { name, exact: true }).first().click();
      const view = (name: string) => main.getByRole('link', { name, exact: true }).click();

      await press(word.new);
      await dialog.getByLabel(word.name).fill('Rating');
      await dialog.getByRole('button', { name: word.begin }).click();
      await page.getByRole('option', { name: word.rating }).click();
      await dialog.getByRole('button', { name: word.create }).click();
      await main.getByRole('heading', { name: 'Rating' }).waitFor();
      const [made] = (await member.at('GET', '/workflow-states')).body.data;
      const definitionOf = async (): Promise<AnyJson> => (await member.at('GET', `/workflows/${made.id}`)).body;

      // A faulty step stays in its form, with the fault at its field.
      await press(word.edit);
      await main.getByRole('button', { name: word.add_first }).first().click();
      await page.getByRole('menuitem', { name: word.set_tag }).click();
      await dialog.getByRole('button', { name: word.apply }).click();
      await dialog.getByText(word.missing).waitFor();
      await dialog.getByLabel(word.tag, { exact: true }).fill('asked');
      await dialog.getByText(word.ask_person).click();
      await dialog.getByRole('button', { name: word.apply }).click();
      await main.locator('[data-step="/steps/0"]').getByText('asked').waitFor();
      assert.match(plain(await main.locator('[data-step="/steps/0"]').textContent()), word.approval);
      // By its menu a step moves up, by keys it moves down and up again.
      await press(word.actions);
      await page.getByRole('menuitem', { name: word.up }).click();
      await main.locator('[data-step="/steps/0"]').getByText(word.ask, { exact: true }).waitFor();
      await main.locator('[data-step="/steps/0"]').getByRole('button').first().focus();
      await page.keyboard.press('Alt+ArrowDown');
      await main.locator('[data-step="/steps/1"]').getByText(word.ask, { exact: true }).waitFor();
      await press(word.save);
      await main.getByText(word.version(2)).first().waitFor();
      assert.deepEqual(
        (await definitionOf()).definition.steps.map((step: AnyJson) => step.do),
        ['set_tag', 'ask', 'branch'],
      );
      assert.equal((await definitionOf()).definition.steps[0].approval_within, '1d');

      await view(word.versions);
      await press(word.look);
      await press(word.restore);
      await main.getByText(word.version(3)).first().waitFor();
      assert.equal((await definitionOf()).definition.steps.length, 2);

      await press(word.publish);
      await main.getByText(word.published, { exact: true }).waitFor();
      const run = await startRun(workspace, made.id, { channel_type: 'chatapp', identifier: `+${digits}` });
      await untilRun(majlis, workspace, run, ({ steps }) => steps.length > 0);
      await view(word.runs);
      await main.getByText(word.stands).waitFor();
      await press(word.cancel);
      await dialog.getByRole('button', { name: word.cancel }).click();
      await main.locator('li').getByText(word.cancelled, { exact: true }).waitFor();

      await view(word.dry_run);
      await main.getByRole('button', { name: 'Khalid' }).click();
      await press(word.start);
      await main.getByText(word.needs).waitFor();
      await main.getByLabel(word.answers).fill('2');
      await press(word.go_on);
      await main.getByText(word.completed).waitFor();
      const taken = await main.locator('[data-path]').textContent();
      assert.ok(plain(taken).includes(word.holds), plain(taken));
      assert.equal(await main.locator('[data-flow] [data-passed]').count(), 4);
      assert.equal((await workspace.api.get(`/conversations/${conversation_id}/messages`)).body.data.length, 2);

      // Two people edit: the second sees what the first changed, and decides.
      await page.goto(`${majlis.url}${path}/${made.id}`);
      await press(word.edit);
      const { definition } = await definitionOf();
      const theirs = { ...definition, steps: [{ do: 'add_note', text: 'From Sara' }, ...definition.steps] };
      const saved = await sara.at('PUT', `/workflows/${made.id}/definition`, { version: 3, definition: theirs });
      assert.equal(saved.status, 200, JSON.stringify(saved.body));
      await press(word.actions);
      await page.getByRole('menuitem', { name: word.up }).waitFor();
      await page.keyboard.press('Escape');
      // The menu keeps the focus until it is gone, and its button takes the keys of the step.
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await main.locator('[data-step="/steps/0"]').getByRole('button').first().focus();
      await page.keyboard.press('Alt+ArrowDown');
      await press(word.save);
      await main.getByText(word.meanwhile).waitFor();
      assert.ok(plain(await main.textContent()).includes(word.with_theirs));
      assert.equal((await definitionOf()).workflow.version, 4, 'nothing is overwritten');
      await press(word.mine);
      await eventually(definitionOf, ({ workflow }) => workflow.version === 5);

      const actions = (await member.at('GET', '/audit')).body.data.map(({ action }: AnyJson) => action);
      for (const action of ['createWorkflow', 'restoreWorkflowVersion', 'switchWorkflow', 'cancelWorkflowRun']) {
        assert.ok(actions.includes(action), action);
      }
      // The refused save is one of the browser's own complaints.
      assert.deepEqual(
        troubles.filter((one) => !/409|422/.test(JSON.stringify(one))),
        [],
      );
      await context.close();
    });
  }

  it('tells once why a dry run would fail, in the direction of its words', async () => {
    const steps = [
      { do: 'send_template', template: 'order_update', language: 'en', params: ['{{trigger.variables.name}}', 'A-1'] },
    ];
    const workspace = await majlis.workspace({
      workflows: [{ name: 'Order', status: 'published', trigger: 'api_call', steps }],
    });
    const member = await joinWorkspace(majlis, workspace, { role: 'admin' });
    const conversation_id = await receiveText(majlis, workspace, newDigits());
    const { contact_id } = (await workspace.api.get(`/conversations/${conversation_id}`)).body;
    await workspace.api.request('PATCH', `/contacts/${contact_id}`, { name: 'Khalid' });
    const [made] = (await member.at('GET', '/workflow-states')).body.data;
    const path = `/w/${workspace.id}/workflows/${made.id}?view=dry-run`;
    const { page, context } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale: 'ar' });
    const main = page.getByRole('main');
    await main.getByRole('button', { name: 'Khalid' }).click();
    await main.getByRole('button', { name: words.ar.start }).click();
    const reason = main.getByText(/each variable needs a text/);
    await reason.waitFor();
    assert.equal(
      await reason.evaluate((one: AnyJson) => one.ownerDocument.defaultView.getComputedStyle(one).direction),
      'ltr',
    );
    await context.close();
  });

  it('is no page for an agent', async () => {
    const workspace = await majlis.workspace();
    const member = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const path = `/w/${workspace.id}/workflows`;
    const { page, context } = await openSignedIn(pages, { url: majlis.url, member, path });
    await page.getByRole('heading', { name: 'This page is not open to you' }).waitFor();
    await context.close();
  });
});
