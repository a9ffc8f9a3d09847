import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { pressUntilTaken } from '@majlis/testing/press-until-taken';
import { receiveMessage } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace);
const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
const path = `/w/${workspace.id}/inbox/${conversation_id}`;
const pages = await openPages(majlis);

describe('docs/agents.md', () => {
  it('names the shortcuts of the console, and no other', async () => {
    const text = readFileSync(new URL('../../../docs/agents.md', import.meta.url), 'utf8');
    const documented = [...text.matchAll(/^\| `([^|]+)` \| ([^|]+?) \|$/gm)].map(
      ([, keys, label]) => `${keys!.replaceAll('` `', ' ')}: ${label}`,
    );
    const { page, context } = await openSignedIn(pages, { url: majlis.url, member, path });
    await page.locator('textarea:read-write').waitFor();
    await page.locator('time').first().waitFor();
    const readKeys = (): Promise<string[]> =>
      page.evaluate(`[...document.querySelectorAll('[role=dialog] dl > div:has(kbd)')].map((one) =>
      [...one.querySelectorAll('kbd')].map((key) => key.textContent).join(' ') + ': ' + one.querySelector('dt').textContent)`);
    await pressUntilTaken(page, '?');
    await page.getByRole('dialog').waitFor();
    const ofConversation = await readKeys();
    await page.goto(page.url().replace(/inbox.*/, 'proposals'));
    await page.getByRole('heading', { name: 'Approvals' }).waitFor();
    await pressUntilTaken(page, '?');
    await page.getByRole('dialog').getByText('Refuse the proposal').waitFor();
    const shown = [...ofConversation, ...(await readKeys())];
    assert.deepEqual(
      shown.filter((one) => !documented.includes(one)),
      [],
    );
    // These act on another state of the conversation.
    const elsewhere = ['E: Reopen', 'T: Take over', 'Y: Approve the proposal', 'Z: Undo'];
    assert.deepEqual(
      documented.filter((one) => !shown.includes(one) && !elsewhere.includes(one)),
      [],
    );
    await context.close();
  });
});
