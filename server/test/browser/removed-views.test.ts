import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const omar = await joinWorkspace(majlis, workspace, { name: 'Omar' });
const pages = await openPages(majlis);

const words = {
  en: { gone: 'This view was removed', all: 'All conversations', team: 'Team: No longer there', filter: 'Filter' },
  ar: {
    ...{ gone: 'أُزيلت طريقة العرض هذه', all: 'كل المحادثات', team: 'الفريق: لم يعد موجودًا', filter: 'تصفية' },
  },
};

async function newTeam(): Promise<{ id: string; remove(): Promise<void> }> {
  const { body } = await omar.at('POST', '/teams', { name: `Gulf ${newDigits()}`, member_ids: [] });
  const { version } = body;
  return {
    id: body.team.id,
    async remove() {
      assert.equal((await omar.at('DELETE', `/teams/${body.team.id}?${new URLSearchParams({ version })}`)).status, 204);
    },
  };
}

for (const locale of languages) {
  const say = words[locale];
  const open = (query: string) =>
    openSignedIn(pages, { url: majlis.url, member: aisha, path: `/w/${workspace.id}/inbox?${query}` }, { locale });

  describe(`a list whose view a colleague removes, in ${locale},`, () => {
    it('says so in the place of rows that it follows no more, and leads to all', async () => {
      const id = await receiveText(majlis, workspace, newDigits());
      const team = await newTeam();
      await omar.at('POST', `/conversations/${id}/assign`, { team_id: team.id });
      const filter = { status: 'open' };
      const view = (await omar.at('POST', '/views', { name: `V ${newDigits()}`, filter, shared: true })).body.id;
      const removals = [
        { query: `view=saved:${view}`, remove: async () => void (await omar.at('DELETE', `/views/${view}`)) },
        { query: `view=team:${team.id}`, remove: team.remove },
      ];
      for (const { query, remove } of removals) {
        const { page, context, troubles } = await open(query);
        const row = page.locator(`main li a[data-id="${id}"]`);
        await row.waitFor();
        await remove();
        await page.getByText(say.gone).waitFor();
        assert.equal(await row.count(), 0, query);
        await page.getByRole('button', { name: say.all }).click();
        await row.waitFor();
        assert.ok(page.url().endsWith('/inbox'), page.url());
        assert.deepEqual(troubles, []);
        await context.close();
      }
    });

    it('names a filter by a team that is gone in words', async () => {
      const team = await newTeam();
      await team.remove();
      const { page, context } = await open(`team_id=${team.id}`);
      await page.getByText(say.team).waitFor();
      await page.getByRole('button', { name: say.filter, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      assert.ok((await dialog.innerText()).includes(say.team.split(': ')[1]!), await dialog.innerText());
      await context.close();
    });
  });
}
