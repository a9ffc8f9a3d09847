import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace);
const pages = await openPages(majlis);

/** Where it is about noon now. The signs of these zones are turned. */
const hoursAhead = 12 - new Date().getUTCHours();
const timezoneId = `Etc/GMT${hoursAhead > 0 ? '-' : '+'}${Math.abs(hoursAhead)}`;
const hoursToNextDay = 14;

describe('midnight', () => {
  it('passes over an open conversation: what came today is of yesterday in the thread, and has its date in the list', async () => {
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    const path = `/w/${workspace.id}/inbox`;
    const { page, context } = await openSignedIn(pages, { url: majlis.url, member, path }, { timezoneId });
    await context.clock.install();
    await page.goto(`${majlis.url}${path}/${conversation_id}`);
    const day = page.locator('[role=feed] p > time');
    const time = page.locator(`a[data-id="${conversation_id}"] time`);
    await day.getByText('Today', { exact: true }).waitFor();
    assert.match(await time.innerText(), /^\d+:\d\d/);
    await majlis.advance(hoursToNextDay * 3_600);
    await context.clock.fastForward(hoursToNextDay * 3_600_000);
    await day.getByText('Yesterday', { exact: true }).waitFor();
    await eventually(
      () => time.innerText(),
      (text) => /^[A-Z][a-z]{2} \d+$/.test(text),
    );
    await context.close();
  });
});
