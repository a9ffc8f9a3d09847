import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);
const { url } = majlis;

const words = {
  en: {
    add_day: 'Add a day',
    away: 'Answer customers who write outside the hours',
    away_text: 'Away message',
    cancel: 'Cancel',
    change: 'Change',
    changed: 'Somebody has changed this meanwhile.',
    date: 'Date',
    delete: 'Delete',
    disconnect: 'Disconnect the number',
    disconnected: 'This number was disconnected',
    emoji: 'Emoji',
    fails: '1 waiting message fails.',
    fields: 'Custom fields',
    hours: 'We answer at certain hours',
    key: 'Key',
    label: 'Label',
    leaves: '1 person leaves it.',
    loses: '1 conversation loses its team and keeps its assignee.',
    merge: 'Merge',
    merges: '1 contact has this tag already.',
    move: 'Move what is in it to',
    name: 'Name',
    new_field: 'New field',
    new_reason: 'New closing reason',
    new_stage: 'New stage',
    new_team: 'New team',
    one_member: '1 member',
    open_conversation: '1 open conversation stays readable, without an answer.',
    outside: 'Outside business hours.',
    reason: 'Reason',
    reasons: 'Closing reasons',
    remove_span: /^Remove these hours of/,
    rename: 'Rename',
    save: 'Save',
    stage_leaves: '1 contact leaves it.',
    tags: 'Tags',
    up: 'Move up',
    value_lost: '1 contact loses its value. It cannot be brought back.',
  },
  ar: {
    add_day: 'أضف يومًا',
    away: 'أجب من يكتب خارج ساعات العمل',
    away_text: 'رسالة الغياب',
    cancel: 'إلغاء',
    change: 'تعديل',
    changed: 'غيّر أحدهم هذا في الأثناء.',
    date: 'التاريخ',
    delete: 'حذف',
    disconnect: 'افصل الرقم',
    disconnected: 'فُصل هذا الرقم',
    emoji: 'رمز',
    fails: 'تفشل رسالة واحدة بالانتظار.',
    fields: 'الحقول المخصصة',
    hours: 'نجيب في ساعات معينة',
    key: 'المفتاح',
    label: 'التسمية',
    leaves: 'يخرج منه شخص واحد.',
    loses: 'تبقى محادثة واحدة بلا فريق مع بقاء المسؤول عنها.',
    merge: 'دمج',
    merges: 'تحمل جهة اتصال واحدة هذا الوسم من قبل.',
    move: 'انقل ما فيها إلى',
    name: 'الاسم',
    new_field: 'حقل جديد',
    new_reason: 'سبب إغلاق جديد',
    new_stage: 'مرحلة جديدة',
    new_team: 'فريق جديد',
    one_member: 'عضو واحد',
    open_conversation: 'تبقى محادثة مفتوحة واحدة للقراءة دون رد.',
    outside: 'خارج ساعات العمل.',
    reason: 'السبب',
    reasons: 'أسباب الإغلاق',
    remove_span: /^احذف هذه الساعات من يوم/,
    rename: 'إعادة تسمية',
    save: 'حفظ',
    stage_leaves: 'تخرج منها جهة اتصال واحدة.',
    tags: 'الوسوم',
    up: 'إلى أعلى',
    value_lost: 'تفقد جهة اتصال واحدة قيمتها، ولا تُستعاد.',
  },
};

for (const locale of languages) {
  const word = words[locale];

  /** A page of the settings, open for an administrator. */
  async function open(place: string, file: Record<string, unknown> = {}) {
    const workspace = await majlis.workspace(file);
    const member = await joinWorkspace(majlis, workspace, { role: 'admin', name: 'Aisha Nasser' });
    const path = `/w/${workspace.id}/${place}`;
    const opened = await openSignedIn(pages, { url, member, path }, { locale });
    const { page } = opened;
    const dialog = page.getByRole('dialog');
    return {
      ...opened,
      workspace,
      member,
      dialog,
      press: (name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click(),
      pressOf: (name: string, of: string) => page.getByRole('button', { name: `${name}: \u2068${of}\u2069` }).click(),
      field: (name: string) => dialog.getByLabel(name, { exact: true }),
      submit: (name: string) => dialog.getByRole('button', { name, exact: true }).click(),
      gone: () => dialog.waitFor({ state: 'detached' }),
      async end() {
        assert.deepEqual(opened.troubles, []);
        await opened.context.close();
      },
    };
  }

  describe(`the desk of a workspace, in ${locale},`, () => {
    it('makes teams, follows colleagues, and says in numbers what a removal does', async () => {
      const desk = await open('teams');
      const { page, member, workspace, dialog, press, pressOf, field, submit, gone } = desk;
      await press(word.new_team);
      await field(word.name).fill('Orders');
      await dialog.getByText('Aisha Nasser').click();
      await submit(word.save);
      await gone();
      await page.getByRole('listitem').filter({ hasText: 'Orders' }).getByText(word.one_member).waitFor();

      // A colleague renames it while it is open here: nothing is overwritten, and the page follows.
      await pressOf(word.change, 'Orders');
      const [{ team, version }] = (await member.at('GET', '/team-entries')).body.data;
      await member.at('PATCH', `/teams/${team.id}`, { version, name: 'Sales' });
      await page.locator('main').getByText('Sales').waitFor();
      await field(word.name).fill('Care');
      await submit(word.save);
      await dialog.getByText(word.changed).waitFor();
      await submit(word.cancel);

      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      const assignment = { assignee_id: member.user_id, team_id: team.id };
      await member.at('POST', `/conversations/${conversation_id}/assign`, assignment);
      await pressOf(word.delete, 'Sales');
      await dialog.getByText(word.leaves).waitFor();
      await dialog.getByText(word.loses).waitFor();
      await submit(word.delete);
      await gone();
      assert.deepEqual((await member.at('GET', '/team-entries')).body.data, []);
      await desk.end();
    });

    it('keeps stages and closing reasons in an order, by the keyboard too', async () => {
      const desk = await open('lists', { stages: [{ name: 'Lead' }, { name: 'Won' }] });
      const { page, member, workspace, dialog, press, pressOf, field, submit, gone } = desk;
      const names = async (): Promise<string[]> =>
        (await member.at('GET', '/stage-entries')).body.data.map(({ name }: AnyJson) => name);
      await press(word.new_stage);
      await field(word.name).fill('Offer');
      await field(word.emoji).fill('📝');
      await submit(word.save);
      await gone();
      await page.getByRole('button', { name: `${word.up}: \u2068Offer\u2069` }).focus();
      await page.keyboard.press('Enter');
      await eventually(names, (found) => found.join() === 'Lead,Offer,Won');
      await eventually(
        () => page.locator('main ol > li').allInnerTexts(),
        (rows) => rows[1]?.includes('Offer') === true,
      );
      await page.locator('main ol > li', { hasText: 'Won' }).dragTo(page.locator('main ol > li', { hasText: 'Lead' }));
      await eventually(names, (found) => found.join() === 'Won,Lead,Offer');

      const [won, lead] = (await member.at('GET', '/stage-entries')).body.data;
      const identities = [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }];
      const { body: contact } = await workspace.api.post('/contacts', { identities, stage_id: lead.id });
      await pressOf(word.delete, 'Lead');
      await dialog.getByText(word.stage_leaves).waitFor();
      await dialog.getByRole('button', { name: word.move }).click();
      await page.getByRole('option', { name: 'Won' }).click();
      await submit(word.delete);
      await gone();
      assert.equal((await workspace.api.get(`/contacts/${contact.id}`)).body.stage_id, won.id);

      await page.getByRole('tab', { name: word.reasons }).click();
      await press(word.new_reason);
      await field(word.name).fill('Solved');
      await submit(word.save);
      await gone();
      await page.getByRole('listitem').filter({ hasText: 'Solved' }).waitFor();
      await desk.end();
    });

    it('changes custom fields and tags, and tells what contacts lose', async () => {
      const desk = await open('lists/fields');
      const { page, workspace, dialog, press, pressOf, field, submit, gone } = desk;
      await press(word.new_field);
      await field(word.label).fill('Branch');
      await field(word.key).fill('branch');
      await submit(word.save);
      await gone();
      const save = async (fields: object) => {
        const identities = [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }];
        return (await workspace.api.post('/contacts', { identities, ...fields })).body;
      };
      const contact = await save({ custom_fields: { branch: 'Seeb' }, tags: ['vip'] });
      await save({ tags: ['gold'] });
      const read = async () => (await workspace.api.get(`/contacts/${contact.id}`)).body;
      await pressOf(word.delete, 'Branch');
      await dialog.getByText(word.value_lost).waitFor();
      await submit(word.delete);
      await gone();
      assert.deepEqual((await read()).custom_fields, {});

      await page.getByRole('tab', { name: word.tags }).click();
      await pressOf(word.rename, 'vip');
      await field(word.name).fill('gold');
      await dialog.getByText(word.merges).waitFor();
      await submit(word.merge);
      await gone();
      assert.deepEqual((await read()).tags, ['gold']);
      await pressOf(word.delete, 'gold');
      await submit(word.delete);
      await gone();
      assert.deepEqual((await read()).tags, []);
      await desk.end();
    });

    it('changes the workspace and its hours, which the inbox shows', async () => {
      const desk = await open('workspace');
      const { page, member, workspace, press } = desk;
      const main = page.getByRole('main');
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      await main.getByLabel(word.name, { exact: true }).fill('Majan Homes');
      await main.getByRole('button', { name: word.save, exact: true }).first().click();
      await page.getByRole('navigation').getByText('Majan Homes').first().waitFor({ state: 'attached' });

      await main.getByText(word.hours).click();
      const spans = main.getByRole('button', { name: word.remove_span });
      await spans.first().waitFor();
      for (let left = await spans.count(); left > 0; left--) await spans.first().click();
      await press(word.add_day);
      await main.getByLabel(word.date, { exact: true }).fill('2026-12-18');
      await main.getByLabel(word.reason, { exact: true }).fill('National Day');
      await main.getByText(word.away, { exact: true }).click();
      await main.getByLabel(word.away_text, { exact: true }).fill('We answer tomorrow.');
      await main.getByRole('button', { name: word.save, exact: true }).last().click();
      const { body } = await eventually(
        () => member.at('GET', '/business-hours'),
        (answer) => answer.body.hours !== undefined,
      );
      assert.deepEqual(body.hours, {
        weekly: [[], [], [], [], [], [], []],
        closed_days: [{ date: '2026-12-18', name: 'National Day' }],
        away_message: 'We answer tomorrow.',
      });
      await page.goto(`${url}/w/${workspace.id}/inbox/${conversation_id}`);
      await page.getByText(word.outside).waitFor();
      await desk.end();
    });

    it('disconnects a number after a confirmation, and says what that stops', async () => {
      const desk = await open('channels');
      const { page, workspace, dialog, press, submit, member } = desk;
      const digits = newDigits();
      const { conversation_id } = await receiveMessage(majlis, workspace, digits);
      await majlis.sql(
        `insert into job_groups (kind, group_id, paused_until)
         select 'messages.deliver_message', id, now() + interval '1 day' from channels where phone_number_id = $1`,
        [workspace.phone_number_id],
      );
      await workspace.api.post(`/conversations/${conversation_id}/messages`, { kind: 'text', body: 'Waits' });
      await page.getByRole('link', { name: 'Support' }).click();
      await press(word.disconnect);
      await dialog.getByText(word.fails).waitFor();
      await dialog.getByText(word.open_conversation).waitFor();
      await submit(word.disconnect);
      await page.getByText(word.disconnected).waitFor();
      await eventually(
        async () => (await member.at('GET', '/channel-states')).body.data[0].disconnected_at,
        (at) => at !== undefined,
      );
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await page.getByRole('button', { name: word.disconnect }).count(), 0);
      await desk.end();
    });
  });
}
