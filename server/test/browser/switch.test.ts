import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace);
const pages = await openPages(majlis);

/** The requests of a page below the workspace, with the ids left out. */
function follow(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const [, end] = request.url().split(/\/console\/v1\/workspaces\/\w+/);
    // What a workspace has few of is read again once a minute.
    if (
      end &&
      !/^\/(custom-fields|users|teams|stages|channels|workspace|business-hours|ai|workflows|views)\b/.test(end)
    ) {
      asked.push(`${request.method()} ${end.replaceAll(/\w+_\w{26}/g, ':id')}`);
    }
  });
  return asked;
}

/** Everything that the page has begun is over: nothing was asked for a while. */
async function untilQuiet(page: Page, asked: string[]): Promise<string[]> {
  let before = -1;
  await eventually(
    async () => {
      const isQuiet = asked.length === before;
      before = asked.length;
      await page.waitForTimeout(1_500);
      return isQuiet && asked.length === before;
    },
    (isQuiet) => isQuiet,
  );
  // A presence is renewed every few seconds, whatever the person does.
  return [...new Set(asked.splice(0))].sort();
}

describe('a switch to another conversation', () => {
  for (const locale of ['en', 'ar'] as const) {
    it(`asks for its thread, its state and its contact, each once (${locale})`, async () => {
      const ids: string[] = [];
      for (let n = 0; n < 3; n++) ids.push(await receiveText(majlis, workspace, newDigits()));
      const path = `/w/${workspace.id}/inbox/${ids[0]}`;
      const { page, context, troubles } = await openSignedIn(
        pages,
        { url: majlis.url, member, path },
        { locale, viewport: { width: 1440, height: 900 } },
      );
      const asked = follow(page);
      await page.locator('article[data-id]').first().waitFor();
      await untilQuiet(page, asked);
      const go = async (id: string) => {
        const before = asked.length;
        await page.locator(`main a[data-id="${id}"]`).click();
        await page.locator('section[data-mode] textarea:read-write').waitFor();
        await page.locator('article[data-id]').first().waitFor();
        const counted = asked.slice(before).filter((one) => !one.startsWith('PUT'));
        return { once: await untilQuiet(page, asked), counted };
      };
      const parts = [
        'DELETE /conversations/:id/presence',
        'GET /contacts/:id',
        'GET /contacts/:id/consent-records?limit=4',
        'GET /conversations/:id/opening',
        'GET /conversations/:id/thread?limit=50',
        'GET /conversations?contact_id=:id&limit=20',
        'PUT /conversations/:id/presence',
      ];
      const ofReading = ['GET /unread-count', 'PUT /conversations/:id/read-mark'];
      const unknown = await go(ids[1]!);
      assert.deepEqual(unknown.once, [...parts, ...ofReading].sort());
      assert.equal(new Set(unknown.counted).size, unknown.counted.length, unknown.counted.join('\n'));
      await go(ids[2]!);
      // The thread of a conversation that was open before is in memory.
      const known = await go(ids[1]!);
      assert.deepEqual(
        known.once,
        parts.filter((one) => !one.includes('/thread')),
      );
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }
});
