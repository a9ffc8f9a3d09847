import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const aisha = await joinWorkspace(majlis, workspace);
const pages = await openPages(majlis);

describe('a page for somebody who wants no motion', () => {
  it('marks the message of an address as long as for others, and moves nothing', async () => {
    const { conversation_id, message_id } = await receiveMessage(majlis, workspace, newDigits());
    const path = `/w/${workspace.id}/inbox/${conversation_id}?message=${message_id}`;
    const at = { url: majlis.url, member: aisha, path };
    const { page, context } = await openSignedIn(pages, at, { reducedMotion: 'reduce' });
    const marked = page.locator(`article[data-id="${message_id}"][data-flash]`);
    await marked.waitFor();
    const times = await page.evaluate<{ name: string; seconds: number; timing: string }[]>(`
      [...document.querySelectorAll('*')].map((one) => getComputedStyle(one)).flatMap((style) => [
        { name: style.animationName, seconds: parseFloat(style.animationDuration), timing: style.animationTimingFunction },
        { name: 'transition', seconds: parseFloat(style.transitionDuration), timing: style.transitionTimingFunction },
      ]).filter(({ name, seconds }) => name !== 'none' && seconds > 0.001)`);
    assert.deepEqual(
      times.map(({ seconds, timing }) => [seconds, timing]),
      [[2, 'steps(1)']],
    );
    await context.close();
  });
});
