import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Locator, Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({ stages: [{ name: 'Lead' }], teams: [{ name: 'Sales' }] });
const member = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
const pages = await openPages(majlis);

const words = {
  en: {
    closed: 'Closed',
    counts: 'New and closed conversations',
    custom: 'Other days',
    days: 'Days',
    failures: 'Failures by reason',
    first: 'First day',
    funnel: 'What became of the messages',
    group: 'Group by',
    by_team: 'By Team',
    no_failures: 'No message failed on these days',
    no_team: 'No team',
    sent: 'Sent',
    stages: 'Stages now',
    team: 'Team',
    template: 'Template',
    unknown: 'The platform had a fault of its own. Send again.',
    wrong: 'The first day is after the last one, or one of them is missing.',
  },
  ar: {
    closed: 'أُغلقت',
    counts: 'المحادثات الجديدة والمغلقة',
    custom: 'أيام أخرى',
    days: 'الأيام',
    failures: 'أسباب الفشل',
    first: 'اليوم الأول',
    funnel: 'ما آلت إليه الرسائل',
    group: 'التجميع حسب',
    by_team: 'حسب الفريق',
    no_failures: 'لم تفشل أي رسالة في هذه الأيام',
    no_team: 'بلا فريق',
    sent: 'أُرسلت',
    stages: 'المراحل الآن',
    team: 'الفريق',
    template: 'القالب',
    unknown: 'حدث عطل لدى المنصة. أعد الإرسال.',
    wrong: 'اليوم الأول بعد اليوم الأخير، أو أحدهما ناقص.',
  },
};

// Three conversations: one answered and closed, one in a team, one with a failed template.
const [first, second] = [
  await receiveMessage(majlis, workspace, newDigits()),
  await receiveMessage(majlis, workspace, newDigits()),
];
await member.at('POST', `/conversations/${first!.conversation_id}/messages`, { kind: 'text', body: 'Hello' });
await member.at('POST', `/conversations/${first!.conversation_id}/close`, {});
const team_id = workspace.applied.teams[0].id;
await member.at('POST', `/conversations/${second!.conversation_id}/assign`, { team_id });
const template = { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] };
await workspace.api.post('/messages', { to: `+${newDigits()}`, kind: 'template', template });
await eventually(
  async () => (await member.at('GET', `/analytics/messages?${today()}`)).body,
  ({ read }) => read === 2,
);
// After all reports, as a later one would undo it. As the platform reports a fault; the simulator has none to order for a single number.
await majlis.sql(
  `update messages set status = 'failed', error = '131000: Something went wrong' where kind = 'template'`,
);

/** Days are those of the workspace, where it is tomorrow for four hours of each day of UTC. */
function today(): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Muscat', dateStyle: 'short' }).format(Date.now());
  return new URLSearchParams({ from: day, to: day }).toString();
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** The cells of each row of the table of these figures. */
async function rowsOf(figures: Locator): Promise<string[][]> {
  const rows = await figures.locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}

describe('the page of analytics', () => {
  for (const locale of languages) {
    const word = words[locale];
    it(`shows charts, tables and files of the chosen days (${locale})`, async () => {
      const path = `/w/${workspace.id}/analytics`;
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      const main = page.getByRole('main');
      const figures = (name: string) => main.getByRole('region', { name, exact: true });

      // A canvas with something on it, beside a table that says the same.
      const counts = figures(word.counts);
      await counts.locator('canvas').waitFor();
      const isDrawn = () =>
        counts.locator('canvas').evaluate((canvas) => {
          const { width, height } = canvas as unknown as { width: number; height: number };
          // biome-ignore lint/suspicious/noExplicitAny: the tests have no types of the browser
          const { data } = (canvas as any).getContext('2d').getImageData(0, 0, width, height);
          return data.some((value: number) => value > 0);
        });
      await eventually(isDrawn, (drawn) => drawn === true);
      assert.deepEqual((await rowsOf(counts))[0]?.slice(1), ['3', '1']);
      assert.equal((await rowsOf(counts)).length, 30);
      const funnel = figures(word.funnel);
      // Each of these is read by a request of its own.
      for (const read of [figures(word.stages), funnel, figures(word.failures)])
        await read.locator('tbody td').first().waitFor();
      assert.equal((await rowsOf(figures(word.stages))).length, 1);
      assert.deepEqual((await rowsOf(funnel))[0]!.slice(0, 2), [word.sent, '1']);
      assert.deepEqual(await rowsOf(figures(word.failures)), [[word.unknown, '131000', '1']]);

      const downloading = page.waitForEvent('download');
      await counts.getByRole('button', { name: 'CSV' }).click();
      const file = await readFile((await (await downloading).path())!, 'utf8');
      const lines = file.trim().split('\r\n');
      assert.equal(lines.length, 31);
      assert.match(lines[1]!, /^\d{4}-\d\d-\d\d,3,1$/);

      await choose(page, word.group, word.team);
      const byTeam = figures(word.by_team);
      await byTeam.locator('canvas').waitFor();
      // The names of the teams come by themselves.
      const expected = JSON.stringify(
        [
          [word.no_team, '2', '1'],
          ['Sales', '1', '0'],
        ].sort(),
      );
      await eventually(
        async () => (await rowsOf(byTeam)).map((cells) => cells.slice(1, 4)),
        (rows) => JSON.stringify(rows.sort()) === expected,
      );

      // The address has the choice, so that it can be shared and come back to.
      await choose(page, word.template, 'order_update');
      await eventually(
        () => rowsOf(funnel),
        ([sent]) => sent?.[1] === '0',
      );
      await page.reload();
      await byTeam.waitFor();
      assert.match(page.url(), /group=team/);

      await choose(page, word.days, word.custom);
      await main.getByLabel(word.first).fill('2100-01-01');
      await main.getByText(word.wrong).waitFor();
      await main.getByLabel(word.first).fill('2020-01-01');
      await byTeam.waitFor();
      await choose(page, word.days, locale === 'en' ? 'Yesterday' : 'أمس');
      await main.getByText(word.no_failures).waitFor();
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }

  it('is no page for an agent', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const path = `/w/${workspace.id}/analytics`;
    const { page, context } = await openSignedIn(pages, { url: majlis.url, member: agent, path });
    await page.getByRole('heading', { name: 'This page is not open to you' }).waitFor();
    await context.close();
  });
});
