import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page, Request } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace);
const pages = await openPages(majlis);

interface Followed {
  asked: string[];
  unanswered: Set<Request>;
}

/** The requests of a page below the workspace, with the ids left out, and those that have no answer yet. */
function follow(page: Page): Followed {
  const asked: string[] = [];
  const unanswered = new Set<Request>();
  page.on('requestfinished', (request) => unanswered.delete(request));
  page.on('requestfailed', (request) => unanswered.delete(request));
  page.on('request', (request) => {
    const [, end] = request.url().split(/\/console\/v1\/workspaces\/\w+/);
    // What a workspace has few of is read again once a minute.
    if (
      end &&
      !/^\/(custom-fields|users|teams|stages|channels|workspace|business-hours|ai|workflows|views)\b/.test(end)
    ) {
      asked.push(`${request.method()} ${end.replaceAll(/\w+_\w{26}/g, ':id')}`);
      unanswered.add(request);
    }
  });
  return { asked, unanswered };
}

/** Everything that the page has begun is over: it has these answers, and its timers of a moment ask for nothing more. */
async function untilQuiet(page: Page, { asked, unanswered }: Followed, parts: readonly string[]): Promise<string[]> {
  await eventually(
    async () => {
      const before = asked.length;
      // A timer of the page ends after those that it began before, however slow the machine is.
      await page.evaluate('new Promise((ended) => setTimeout(ended, 1_500))');
      return { asked, isQuiet: asked.length === before && unanswered.size === 0 };
    },
    ({ isQuiet }) => isQuiet && parts.every((part) => asked.includes(part)),
  );
  // A presence is renewed every few seconds, whatever the person does.
  return [...new Set(asked.splice(0))].sort();
}

describe('a switch to another conversation', () => {
  for (const locale of languages) {
    it(`asks for its thread, its state and its contact, each once (${locale})`, async () => {
      const ids: string[] = [];
      for (let n = 0; n < 3; n++) ids.push(await receiveText(majlis, workspace, newDigits()));
      const path = `/w/${workspace.id}/inbox/${ids[0]}`;
      const { page, context, troubles } = await openSignedIn(
        pages,
        { url: majlis.url, member, path },
        { locale, viewport: { width: 1440, height: 900 } },
      );
      const followed = follow(page);
      const { asked } = followed;
      await page.locator('article[data-id]').first().waitFor();
      await untilQuiet(page, followed, []);
      const go = async (id: string, parts: readonly string[]) => {
        const before = asked.length;
        await page.locator(`main a[data-id="${id}"]`).click();
        await page.locator('section[data-mode] textarea:read-write').waitFor();
        await page.locator('article[data-id]').first().waitFor();
        const counted = asked.slice(before).filter((one) => !one.startsWith('PUT'));
        return { once: await untilQuiet(page, followed, parts), counted };
      };
      const parts = [
        'GET /contacts/:id',
        'GET /contacts/:id/consent-records?limit=4',
        'GET /conversations/:id/opening',
        'GET /conversations/:id/thread?limit=50',
        'GET /conversations?contact_id=:id&limit=20',
        'PUT /conversations/:id/presence',
      ];
      const ofReading = ['GET /unread-count', 'PUT /conversations/:id/read-mark'];
      const ofUnknown = [...parts, ...ofReading];
      const unknown = await go(ids[1]!, ofUnknown);
      assert.deepEqual(unknown.once, ofUnknown.sort());
      assert.equal(new Set(unknown.counted).size, unknown.counted.length, unknown.counted.join('\n'));
      await go(ids[2]!, ofUnknown);
      // The thread of a conversation that was open before is in memory.
      const ofKnown = parts.filter((one) => !one.includes('/thread'));
      const known = await go(ids[1]!, ofKnown);
      assert.deepEqual(known.once, ofKnown);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }

  it('tells the new presence and the end of the former one by one request, however late the composer is', async () => {
    const ids = [await receiveText(majlis, workspace, newDigits()), await receiveText(majlis, workspace, newDigits())];
    const path = `/w/${workspace.id}/inbox/${ids[0]}`;
    const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale: 'en' });
    const followed = follow(page);
    await page.locator('section[data-mode] textarea:read-write').waitFor();
    await untilQuiet(page, followed, []);
    // The frames of a busy machine.
    await page.evaluate(`{
      const drawn = requestAnimationFrame;
      window.requestAnimationFrame = (callback) => setTimeout(() => drawn(callback), 400);
    }`);
    const told = page.waitForRequest((request) => request.url().includes(`${ids[1]}/presence`));
    await page.locator(`main a[data-id="${ids[1]}"]`).click();
    const { left_conversation_id } = (await told).postDataJSON() as { left_conversation_id?: string };
    assert.equal(left_conversation_id, ids[0]);
    const asked = await untilQuiet(page, followed, ['PUT /conversations/:id/presence']);
    assert.ok(!asked.includes('DELETE /conversations/:id/presence'), asked.join('\n'));
    assert.deepEqual(troubles, []);
    await context.close();
  });
});
