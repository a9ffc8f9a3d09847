import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { listen } from '@majlis/testing/listen';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', WEBHOOK_ALLOW_PRIVATE: 'true' } });
const pages = await openPages(majlis);
let isGone = false;
const site = createServer((_, response) =>
  isGone ? response.writeHead(404).end() : response.end('The warranty of all sofas lasts two years.'),
);
const url = `${await listen(site)}/warranty`;

const words = {
  en: {
    add: 'Add knowledge',
    add_submit: 'Add',
    address: 'Address',
    agents_of: `Choose the agents of ${url}`,
    all: 'All agents, also later ones',
    budget: 'Change the limit',
    budget_field: 'Credits of a calendar month',
    budget_of: '0 of 500 credits were used this month.',
    credits: 'Credits a month',
    credits_of: '0 of 40 credits',
    delete: 'Delete',
    delete_hint: /1 passage is removed, and no agent uses it\./,
    delete_of: `Delete ${url}`,
    edit_of: 'Edit Sara',
    failed: 'Failed',
    instructions: 'Instructions',
    kept: /What was read before is still used\./,
    kind: 'Kind',
    name: 'Name',
    new: 'New agent',
    no_agent: 'for no agent, drafts alone',
    pause: 'Pause',
    pause_hint: 'It controls no conversation at the moment.',
    pause_of: 'Pause Sara',
    paused: 'Paused',
    proposes: 'Propose answers, and let a person send them',
    proposing: 'Proposes',
    question: 'Question of a customer',
    quote: /An agent would quote the first one\./,
    ready: 'Ready',
    reindex_of: `Read ${url} again`,
    resume_of: 'Resume Sara',
    save: 'Save',
    search: 'Search',
    stale: 'Somebody else has changed this agent. Close the dialog and look at it again.',
    text: 'Text',
  },
  ar: {
    add: 'إضافة معرفة',
    add_submit: 'إضافة',
    address: 'العنوان',
    agents_of: `اختيار وكلاء ${url}`,
    all: 'كل الوكلاء، واللاحقون أيضًا',
    budget: 'تغيير الحد',
    budget_field: 'أرصدة الشهر الميلادي',
    budget_of: 'استُخدم 0 من 500 رصيد هذا الشهر.',
    credits: 'الأرصدة في الشهر',
    credits_of: '0 من 40 رصيد',
    delete: 'حذف',
    delete_hint: /يُزال مقطع واحد، ولا وكيل يستخدمه/,
    delete_of: `حذف ${url}`,
    edit_of: 'تعديل Sara',
    failed: 'فشل',
    instructions: 'التعليمات',
    kept: /ما قُرئ من قبل ما زال مستخدمًا\./,
    kind: 'النوع',
    name: 'الاسم',
    new: 'وكيل جديد',
    no_agent: 'ليس لأي وكيل، للمسودات فقط',
    pause: 'إيقاف مؤقت',
    pause_hint: 'لا يتولى أي محادثة الآن.',
    pause_of: 'إيقاف Sara مؤقتًا',
    paused: 'متوقف مؤقتًا',
    proposes: 'يقترح إجاباته، ويرسلها شخص',
    proposing: 'يقترح',
    question: 'سؤال من عميل',
    quote: /كان الوكيل سيقتبس الأول\./,
    ready: 'جاهز',
    reindex_of: `قراءة ${url} من جديد`,
    resume_of: 'استئناف Sara',
    save: 'حفظ',
    search: 'بحث',
    stale: 'غيّر شخص آخر هذا الوكيل. أغلق النافذة وانظر إليه من جديد.',
    text: 'نص',
  },
};

describe('the page of AI agents', () => {
  for (const locale of languages) {
    const word = words[locale];
    it(`makes, changes and pauses an agent, gives it knowledge and a budget (${locale})`, async () => {
      isGone = false;
      const workspace = await majlis.workspace();
      const member = await joinWorkspace(majlis, workspace, { role: 'admin' });
      const path = `/w/${workspace.id}/ai`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const main = page.getByRole('main');
      const dialog = page.getByRole('dialog');
      const press = (name: string) => main.getByRole('button', { name, exact: true }).click();
      const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
      const field = (name: string) => dialog.getByLabel(name, { exact: true });
      const agent = async () => (await member.at('GET', '/ai-agents')).body.data[0];

      await press(word.new);
      await field(word.name).fill('Sara');
      await field(word.instructions).fill('Be short and polite.');
      await field(word.credits).fill('40');
      await inDialog(word.save);
      await dialog.waitFor({ state: 'detached' });
      await main.getByText(word.credits_of).waitFor();
      const made: AnyJson = await agent();
      assert.deepEqual([made.agent.languages, made.instructions], [['ar', 'en'], 'Be short and polite.']);

      // The switch makes its answers proposals, and is kept.
      const propose = dialog.getByRole('switch', { name: word.proposes });
      assert.equal(made.proposes, false);
      for (const isOn of [true, false]) {
        await press(word.edit_of);
        assert.equal(await propose.isChecked(), !isOn);
        await dialog.getByText(word.proposes).click();
        await inDialog(word.save);
        await dialog.waitFor({ state: 'detached' });
        await main.getByText(word.proposing, { exact: true }).waitFor({ state: isOn ? 'visible' : 'detached' });
        assert.equal((await agent()).proposes, isOn);
      }
      Object.assign(made, await agent());

      // Somebody else changes it while the dialog is open.
      await press(word.edit_of);
      await member.at('PATCH', `/ai-agents/${made.agent.id}`, { version: made.version, languages: ['ar'] });
      await field(word.name).fill('Late');
      await inDialog(word.save);
      await dialog.getByText(word.stale).waitFor();
      await page.keyboard.press('Escape');
      assert.equal((await agent()).agent.name, 'Sara');

      await press(word.pause_of);
      await dialog.getByText(word.pause_hint).waitFor();
      await inDialog(word.pause);
      await main.getByText(word.paused, { exact: true }).waitFor();
      assert.equal((await agent()).agent.status, 'paused');
      await press(word.resume_of);
      await main.getByRole('button', { name: word.pause_of, exact: true }).waitFor();

      await press(word.budget);
      await field(word.budget_field).fill('500');
      await inDialog(word.save);
      await main.getByText(word.budget_of).waitFor();

      await press(word.add);
      await field(word.address).fill(url);
      await inDialog(word.add_submit);
      const row = main.getByRole('listitem').filter({ hasText: url });
      await row.getByText(word.ready, { exact: true }).waitFor();
      await main.getByLabel(word.question).fill('Warranty of sofas?');
      await press(word.search);
      await main.getByText(word.quote).waitFor();
      await main.getByText('The warranty of all sofas lasts two years.').waitFor();

      isGone = true;
      await press(word.reindex_of);
      await row.getByText(word.failed, { exact: true }).waitFor();
      await row.getByText(word.kept).waitFor();

      await press(word.agents_of);
      await dialog.getByText(word.all).click();
      await dialog.getByText('Sara').click();
      await inDialog(word.save);
      await row.getByText(word.no_agent).waitFor();
      await press(word.delete_of);
      await dialog.getByText(word.delete_hint).waitFor();
      await inDialog(word.delete);
      await eventually(
        async () => (await member.at('GET', '/knowledge-sources')).body.data.length,
        (count) => count === 0,
      );

      await press(word.add);
      await dialog.getByRole('button', { name: word.kind }).click();
      await page.getByRole('option', { name: word.text }).last().click();
      await dialog.getByRole('textbox').fill('Parking is free.');
      await inDialog(word.add_submit);
      await main.getByText('Parking is free.').waitFor();
      const actions = (await member.at('GET', '/audit')).body.data.map(({ action }: AnyJson) => action);
      for (const action of ['createAiAgent', 'changeAiAgent', 'changeAiBudget', 'deleteKnowledgeSource']) {
        assert.ok(actions.includes(action), action);
      }
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }
});
