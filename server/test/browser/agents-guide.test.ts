import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { pressUntilTaken } from '@majlis/testing/press-until-taken';
import { receiveMessage } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Page } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace);
const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
const path = `/w/${workspace.id}/inbox/${conversation_id}`;
const pages = await openPages(majlis);

/** The file, and words of the console that the keys of proposals wait for. */
const guides = {
  en: {
    file: 'agents.md',
    approvals: 'Approvals',
    refuse: 'Refuse the proposal',
    // These act on another state of the conversation.
    elsewhere: ['E: Reopen', 'T: Take over', 'Y: Approve the proposal', 'Z: Undo'],
  },
  ar: {
    file: 'agents.ar.md',
    approvals: 'الموافقات',
    refuse: 'ارفض الاقتراح',
    elsewhere: ['E: إعادة فتح', 'T: استلام المحادثة', 'Y: وافق على الاقتراح', 'Z: تراجع'],
  },
};

describe('the guide for agents', () => {
  for (const locale of languages) {
    const { file, approvals, refuse, elsewhere } = guides[locale];
    const text = readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');
    const documented = [...text.matchAll(/^\| `([^|]+)` \| ([^|]+?) \|$/gm)].map(
      ([, keys, label]) => `${keys!.replaceAll('` `', ' ')}: ${label}`,
    );

    it(`names the shortcuts of the console, and no other (${locale})`, async () => {
      const { page, context } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      await page.locator('textarea:read-write').waitFor();
      await page.locator('time').first().waitFor();
      await pressUntilTaken(page, '?');
      await page.getByRole('dialog').waitFor();
      const ofConversation = await keysIn(page, '[role=dialog]');
      await page.goto(page.url().replace(/inbox.*/, 'proposals'));
      await page.getByRole('heading', { name: approvals }).waitFor();
      await pressUntilTaken(page, '?');
      await page.getByRole('dialog').getByText(refuse).waitFor();
      const shown = [...ofConversation, ...(await keysIn(page, '[role=dialog]'))];
      assert.deepEqual(
        shown.filter((one) => !documented.includes(one)),
        [],
      );
      assert.deepEqual(
        documented.filter((one) => !shown.includes(one) && !elsewhere.includes(one)),
        [],
      );
      await context.close();
    });

    it(`stands in the console, one press from the shortcuts (${locale})`, async () => {
      const { page, context, troubles } = await openSignedIn(pages, { url: majlis.url, member, path }, { locale });
      await page.locator('textarea:read-write').waitFor();
      await pressUntilTaken(page, '?');
      await page.getByRole('dialog').locator('a[href="/guide"]').click();
      await page.locator('article h2').first().waitFor();
      assert.equal(await page.getByRole('dialog').count(), 0);
      await page.reload();
      await page.locator('article h2').first().waitFor();
      assert.deepEqual(await keysIn(page, 'article'), documented);
      // A line of the page has the letters of its line in the file.
      const lines = await page.locator('article li').allInnerTexts();
      const letters = (of: string) => of.replaceAll(/[^\p{L}\p{N}]/gu, '');
      assert.deepEqual(
        lines.filter((line) => !letters(text).includes(letters(line))),
        [],
      );
      assert.equal(lines.length, text.match(/^- /gm)!.length);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }
});

const keysIn = (page: Page, place: string): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('${place} dl > div:has(kbd)')].map((one) =>
    [...one.querySelectorAll('kbd')].map((key) => key.textContent).join(' ') + ': ' + one.querySelector('dt').textContent)`);
