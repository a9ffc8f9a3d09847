import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { receiveAssigned } from '@majlis/testing/conversation-state';
import { eventually } from '@majlis/testing/eventually';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { pressUntilTaken } from '@majlis/testing/press-until-taken';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({ stages: [{ name: 'Lead' }, { name: 'Won' }] });
const won = workspace.applied.stages.find(({ name }: { name: string }) => name === 'Won')!.id as string;
const board = `/w/${workspace.id}/board`;
const aisha = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const omar = await joinWorkspace(majlis, workspace, { name: 'Omar' });
const pages = await openPages(majlis);

const open = (path: string) =>
  openSignedIn(pages, { url: majlis.url, member: aisha, path: `/w/${workspace.id}/inbox${path}` });
const undoOf = (page: Page, kind: 'success' | 'danger') =>
  page.locator(`[data-kind=${kind}]`).getByRole('button', { name: 'Undo' });

const newConversation = () => receiveAssigned(majlis, workspace, { assigner: aisha, assignee: null });

async function untilAssigned(ids: readonly string[], assignee_id: string | undefined): Promise<void> {
  for (const id of ids) {
    await eventually(
      async () => (await aisha.at('GET', `/conversations/${id}`)).body.assignee_id,
      (now) => now === assignee_id,
    );
  }
}

const cuts = [
  { name: 'that did not reach the service', isTaken: false },
  { name: 'whose answer was lost', isTaken: true },
];
for (const { name, isTaken } of cuts) {
  /** Presses undo under the cut, and again after it, as the failure offers. */
  const undoTwice = async (page: Page, pattern: string) => {
    await page.route(pattern, async (route) => {
      if (isTaken) await route.fetch();
      await route.abort();
    });
    await undoOf(page, 'success').click();
    await undoOf(page, 'danger').waitFor();
    await page.unroute(pattern);
    await undoOf(page, 'danger').click();
  };

  describe(`an undo ${name}`, () => {
    it('is offered again, of an assignment', async () => {
      const id = await newConversation();
      const { page, context } = await open(`/${id}`);
      await page.locator('textarea:read-write').waitFor();
      await pressUntilTaken(page, 'Shift+KeyA');
      await untilAssigned([id], aisha.user_id);
      await undoTwice(page, '**/restore');
      await page.getByText('Undone.', { exact: true }).waitFor();
      await untilAssigned([id], undefined);
      assert.equal(await page.locator('[data-kind=danger]').count(), 0);
      await context.close();
    });

    it('is offered again, of several', async () => {
      const ids = [await newConversation(), await newConversation()];
      const { page, context } = await open('');
      for (const id of ids) {
        await page.locator(`main li a[data-id="${id}"]`).focus();
        await page.keyboard.press('x');
      }
      const bar = page.getByRole('group').filter({ has: page.getByRole('status') });
      await bar.getByRole('button', { name: 'Assign', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Assign to me' }).click();
      await untilAssigned(ids, aisha.user_id);
      await undoTwice(page, '**/restore');
      await page.getByText('Took 2 changes back').waitFor();
      await untilAssigned(ids, undefined);
      assert.equal(await page.getByRole('dialog').count(), 0);
      await context.close();
    });

    it('is offered again, of a move on the board', async () => {
      const id = await newConversation();
      const stage = async () => (await aisha.at('GET', `/conversations/${id}`)).body.stage_id;
      const { page, context } = await openSignedIn(pages, { url: majlis.url, member: aisha, path: board });
      const cardIn = (column: string) =>
        page.getByRole('region', { name: column }).locator(`[role=row][data-key="${id}"]`);
      await cardIn('No stage')
        .getByRole('button', { name: /^Stage of/ })
        .click();
      await page.getByRole('menuitemradio', { name: 'Won' }).click();
      await cardIn('Won').waitFor();
      await eventually(stage, (now) => now === won);
      await undoTwice(page, '**/restore');
      await page.getByText('Undone.', { exact: true }).waitFor();
      await cardIn('No stage').waitFor();
      assert.equal(await stage(), undefined);
      assert.equal(await page.locator('[data-kind=danger]').count(), 0);
      await context.close();
    });

    it('is offered again, of the cancelling of a scheduled message', async () => {
      const id = await newConversation();
      const content = { kind: 'text', body: 'Tomorrow, then.' };
      const path = `/conversations/${id}/scheduled-messages`;
      await aisha.at('POST', path, { content, send_at: new Date(Date.now() + 86_400_000).toISOString() });
      const { page, context } = await open(`/${id}`);
      await page.getByText(content.body).waitFor();
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await undoTwice(page, '**/restore');
      await page.getByText(content.body).waitFor();
      await eventually(
        async () => (await aisha.at('GET', path)).body.data.map(({ state }: { state: string }) => state),
        (states) => states.join() === 'scheduled',
      );
      assert.equal(await page.locator('[data-kind=danger]').count(), 0);
      await context.close();
    });
  });
}

describe('the undo of a move on the board', () => {
  it('leaves alone where a colleague has moved the card since, and says so', async () => {
    const id = await newConversation();
    const { page, context } = await openSignedIn(pages, { url: majlis.url, member: aisha, path: board });
    const card = page.locator(`[role=row][data-key="${id}"]`);
    await card.getByRole('button', { name: /^Stage of/ }).click();
    await page.getByRole('menuitemradio', { name: 'Won' }).click();
    await undoOf(page, 'success').waitFor();
    const lead = workspace.applied.stages.find(({ name }: { name: string }) => name === 'Lead')!.id as string;
    await omar.at('PUT', `/conversations/${id}/stage`, { stage_id: lead });
    await page.getByRole('region', { name: 'Lead' }).locator(`[data-key="${id}"]`).waitFor();
    await undoOf(page, 'success').click();
    await page
      .getByText(/changed it meanwhile|changed this meanwhile/)
      .first()
      .waitFor();
    assert.equal((await aisha.at('GET', `/conversations/${id}`)).body.stage_id, lead);
    await context.close();
  });
});
