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

const words = {
  en: {
    available: 'Gets conversations by turns',
    away: 'Away',
    close: 'Close',
    changed: 'Somebody has changed this meanwhile.',
    email: 'E-mail address',
    invite: 'Invite',
    hours_left: /^It would work for 23 more hours, until /,
    gives: 'It gives the role \u2068Agent\u2069.',
    invitation_ends: '1 invitation that they made ends.',
    loses: '1 open conversation becomes unassigned.',
    make: 'Make the invitation',
    own_teams_only: 'Sees conversations of own teams only',
    remove: 'Remove',
    role_of: /Role of/,
    supervisor: 'Supervisor',
    team: 'They leave 1 team.',
    withdraw: 'Withdraw',
  },
  ar: {
    available: 'تصله المحادثات بالدور',
    away: 'غير متاح',
    close: 'إغلاق',
    changed: 'غيّر أحدهم هذا في الأثناء.',
    email: 'البريد الإلكتروني',
    invite: 'دعوة',
    hours_left: /^تصلح 23 ساعة بعد، حتى /,
    gives: 'تمنح دور \u2068موظف\u2069.',
    invitation_ends: 'تنتهي دعوة واحدة أرسلها.',
    loses: 'تصبح محادثة مفتوحة واحدة بلا مسؤول.',
    make: 'إنشاء الدعوة',
    own_teams_only: 'يرى محادثات فرقه فقط',
    remove: 'إزالة',
    role_of: /دور/,
    supervisor: 'مشرف',
    team: 'يخرج من فريق واحد.',
    withdraw: 'سحب',
  },
};

describe('the page of people', () => {
  for (const locale of languages) {
    const word = words[locale];
    it(`invites, changes and removes people, and says in numbers what that does (${locale})`, async () => {
      const workspace = await majlis.workspace();
      const owner = await joinWorkspace(majlis, workspace, { role: 'owner', name: 'Aisha Nasser' });
      const agent = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Omar Ali' });
      const path = `/w/${workspace.id}/members`;
      const { page, context, troubles } = await openSignedIn(
        pages,
        { url: majlis.url, member: owner, path },
        { locale },
      );
      const row = page.getByRole('listitem').filter({ hasText: 'Omar Ali' });
      const dialog = page.getByRole('dialog');
      const stateOf = async () =>
        (await owner.at('GET', '/members')).body.data.find(({ user_id }: AnyJson) => user_id === agent.user_id);

      await page.getByRole('button', { name: word.invite, exact: true }).click();
      await dialog.getByLabel(word.email).fill('sara@majan.example');
      await dialog.getByRole('button', { name: word.make, exact: true }).click();
      await dialog.getByLabel(word.email).waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: word.close, exact: true }).last().click();
      await page.getByRole('button', { name: word.withdraw, exact: true }).click();
      await dialog.getByRole('heading', { name: 'sara@majan.example' }).waitFor();
      await dialog.getByText(word.gives).waitFor();
      await dialog.getByText(word.hours_left).waitFor();
      await dialog.getByRole('button', { name: word.withdraw, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('sara@majan.example').waitFor({ state: 'detached' });

      await row.getByText(word.available).click();
      await row.getByText(word.away).waitFor();
      await row.getByText(word.own_teams_only).click();
      await eventually(stateOf, ({ own_teams_only }) => own_teams_only === true);

      // Another administrator, whose change comes first by a moment.
      await page.route(
        `**/members/${agent.user_id}`,
        async (route) => {
          await owner.at('PATCH', `/members/${agent.user_id}`, { own_teams_only: false });
          await route.continue();
        },
        { times: 1 },
      );
      await choose(word.supervisor);
      await page.getByText(word.changed).first().waitFor();
      assert.equal((await stateOf()).role, 'agent');
      await page.reload();
      await choose(word.supervisor);
      await eventually(stateOf, ({ role }) => role === 'supervisor');

      // They leave a conversation, a team and an open invitation behind.
      await owner.at('PATCH', `/members/${agent.user_id}`, { role: 'admin' });
      await owner.at('POST', '/teams', { name: 'Orders', member_ids: [agent.user_id] });
      await agent.at('POST', '/invitations', { email: 'hamad@majan.example', role: 'agent' });
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      await owner.at('POST', `/conversations/${conversation_id}/assign`, { assignee_id: agent.user_id });
      await row.getByRole('button', { name: word.remove, exact: true }).click();
      for (const sentence of [word.loses, word.team, word.invitation_ends]) await dialog.getByText(sentence).waitFor();
      await dialog.getByRole('button', { name: word.remove, exact: true }).click();
      await row.waitFor({ state: 'detached' });
      assert.equal(await stateOf(), undefined);

      const acts = (await owner.at('GET', '/audit')).body.data.map(({ action }: AnyJson) => action);
      for (const act of ['inviteMember', 'withdrawInvitation', 'setUserAvailability', 'changeMember', 'removeMember']) {
        assert.ok(acts.includes(act), `${act} in ${acts}`);
      }
      assert.deepEqual(
        troubles.filter((trouble) => !trouble.includes('/members')),
        [],
      );
      await context.close();

      async function choose(role: string): Promise<void> {
        await row.getByRole('button', { name: word.role_of }).click();
        await page.getByRole('option', { name: role }).click();
      }
    });
  }

  it('lets an agent read who works here, and change nothing', async () => {
    const workspace = await majlis.workspace();
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Omar Ali' });
    const path = `/w/${workspace.id}/members`;
    const { page, context } = await openSignedIn(pages, { url: majlis.url, member: agent, path });
    const main = page.getByRole('main');
    await main.getByText('Omar Ali').waitFor();
    assert.equal(await main.getByRole('button').count(), 0);
    assert.equal(await main.getByRole('switch').count(), 0);
    await context.close();
  });
});
