import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { signInByForm } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const pages = await openPages(majlis);

async function open() {
  const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
  const member = await joinWorkspace(majlis, workspace, { name: 'Huda Ali' });
  const opened = await openComposer(pages, { url: majlis.url, workspace, member, conversation_id });
  return { ...opened, conversation_id, member };
}

const endSessions = ({ email }: Member) =>
  majlis.sql('delete from sessions where person_id = (select id from people where email = $1)', [email]);

const places = async (conversation_id: string): Promise<string[]> => {
  const { data } = (await workspace.api.get(`/conversations/${conversation_id}/messages`)).body;
  return data
    .filter(({ direction }: AnyJson) => direction === 'outbound')
    .map(({ kind, id }: AnyJson) => {
      const call = majlis.simulator.ledger().find((one: AnyJson) => one.biz_opaque_callback_data === id);
      return `${kind} ${(call?.body as AnyJson)?.location?.name ?? ''}`;
    });
};

async function sendPlace(page: Page, words: AnyJson, name: string): Promise<void> {
  await page.getByRole('toolbar').getByRole('button', { name: words.more, exact: true }).click();
  await page.getByRole('menuitem', { name: words.location }).click();
  await page.getByRole('textbox', { name: words.coordinates, exact: true }).fill('23.588, 58.382');
  await page.getByRole('textbox', { name: words.place_name, exact: true }).fill(name);
  await page.getByRole('button', { name: words.send, exact: true }).click();
}

describe('a location that the end of the session stopped', () => {
  for (const isTaken of [false, true]) {
    it(`is sent once after the sign-in, ${isTaken ? 'though the service had taken it' : 'in its order'}`, async () => {
      const { page, words, conversation_id, member, context } = await open();
      await page.route('**/messages', async (route) => {
        if (isTaken) await route.fetch();
        await route.abort();
      });
      for (const name of ['First', 'Second']) await sendPlace(page, words, name);
      await page.getByRole('feed').getByText('Second').waitFor();
      if (isTaken)
        await eventually(
          () => places(conversation_id),
          (sent) => sent.length > 0,
        );
      await endSessions(member);
      await page.unroute('**/messages');
      await signInByForm(page, member);
      const sent = await eventually(
        () => places(conversation_id),
        (all) => all.length > 1 && all.every((one) => one !== 'location '),
      );
      assert.deepEqual(sent.toSorted(), ['location First', 'location Second']);
      await context.close();
    });
  }

  it('is left to nobody who signs in after them in the same browser', async () => {
    const { page, words, conversation_id, member, context } = await open();
    const next = await joinWorkspace(majlis, workspace, { name: 'Omar Ali' });
    await page.route('**/messages', (route) => route.abort());
    await sendPlace(page, words, 'Hers');
    await page.getByRole('feed').getByText('Hers').waitFor();
    await endSessions(member);
    await page.unroute('**/messages');
    await signInByForm(page, next);
    await page.locator('textarea:read-write').fill('His own');
    await page.keyboard.press('Enter');
    await eventually(
      () => places(conversation_id),
      (all) => all.length === 1 && all[0]!.startsWith('text'),
    );
    assert.equal(await page.getByText('Hers').count(), 0);
    await context.close();
  });
});
