import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const pages = await openPages(majlis);
let workspace: TestWorkspace;
let aisha: Member;
let badr: Member;
before(async () => {
  workspace = await majlis.workspace();
  aisha = await joinWorkspace(majlis, workspace);
  badr = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
});

/** A browser without a screen shows all of its tabs at once, so the page itself says whether it is seen. */
const isSeen = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
    document.dispatchEvent(new Event('visibilitychange'))`);
const writes = (handle: string, text: string) =>
  postNotification(majlis, workspace, {
    contacts: [{ profile: { name: `Customer ${handle}` }, wa_id: handle }],
    messages: [platformText(handle, text)],
  });
const titled = (page: Page, title: string) =>
  eventually(
    () => page.title(),
    (text) => text === title,
  );
const badge = (page: Page, handle: string) => page.locator('main li a[data-id]', { hasText: handle });
const countOf = async (member: Member): Promise<number> => (await member.at('GET', '/unread-count')).body.conversations;

for (const [locale, named] of [
  ['en', (count: number) => (count > 0 ? `(${count}) Inbox · Majlis` : 'Inbox · Majlis')],
  ['ar', (count: number) => (count > 0 ? `(${count}) صندوق الوارد · مجلس` : 'صندوق الوارد · مجلس')],
] as const) {
  describe(`unread messages, in ${locale}`, () => {
    it('are the same in every tab and in its title, and a hidden tab marks none as read', async () => {
      const open = (member: Member) =>
        openSignedIn(pages, { url: majlis.url, member, path: `/w/${workspace.id}/inbox` }, { locale });
      const { page: first, context } = await open(aisha);
      const second = await context.newPage();
      await second.goto(first.url());
      const { page: other, context: others } = await open(badr);
      const [own, theirs] = [await countOf(aisha), await countOf(badr)];
      const handle = newDigits();
      await writes(handle, 'one');
      for (const page of [first, second]) await titled(page, named(own + 1));
      await titled(other, named(theirs + 1));

      // The first tab shows the conversation while the person looks at it: all tabs know.
      await badge(first, handle).click();
      for (const page of [first, second]) await titled(page, named(own));
      await titled(other, named(theirs + 1));
      await eventually(
        () => badge(second, handle).getAttribute('data-unread'),
        (unread) => unread === null,
      );

      // It is hidden. What comes stays unread, and its title says so.
      await isSeen(first, 'hidden');
      await writes(handle, 'two');
      for (const page of [first, second]) await titled(page, named(own + 1));
      await eventually(
        () => badge(second, handle).getAttribute('data-unread'),
        (unread) => unread === 'true',
      );
      assert.equal(await countOf(aisha), own + 1);

      // The person looks at it again.
      await isSeen(first, 'visible');
      for (const page of [first, second]) await titled(page, named(own));
      await eventually(
        () => countOf(aisha),
        (count) => count === own,
      );
      await titled(other, named(theirs + 1));

      // What is unread for one person is another matter for the other.
      await badge(other, handle).click();
      await titled(other, named(theirs));
      await Promise.all([context.close(), others.close()]);
    });

    it('are read once another program of the person says so, while no page shows the conversation', async () => {
      const { page, context } = await openSignedIn(
        pages,
        { url: majlis.url, member: aisha, path: `/w/${workspace.id}/inbox` },
        { locale },
      );
      const own = await countOf(aisha);
      const handle = newDigits();
      await writes(handle, 'one');
      await titled(page, named(own + 1));
      await writes(handle, 'two');
      const id = await badge(page, handle).getAttribute('data-id');
      const last = await eventually(
        async () => (await workspace.api.get(`/conversations/${id}/messages`)).body.data,
        (data) => data.length === 2,
      );
      const last_read_message_id = last.find(({ body }: AnyJson) => body === 'two').id;
      const { status } = await aisha.at('PUT', `/conversations/${id}/read-mark`, { last_read_message_id });
      assert.equal(status, 200);
      await titled(page, named(own));
      await badge(page, handle).and(page.locator(':not([data-unread])')).waitFor();
      await context.close();
    });
  });
}
