import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { openSignedIn } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({
  closing_categories: [{ name: 'Sold' }],
  ai_agents: [{ name: 'Concierge', languages: ['en', 'ar'], instructions: 'You work for a furniture shop.' }],
});
const omar = await joinWorkspace(majlis, workspace, { name: 'Omar', role: 'agent' });
const pages = await openPages(majlis);

const words = {
  en: {
    ...{ react: 'React', with: 'React with 👍', back: 'Take back 👍', control: 'Who answers', human: 'Take over' },
    ...{ wake: 'Wake up now', close: 'Close the conversation', summary: 'What came of it' },
    survey: 'Ask the customer how it was',
    reason: /Reason/,
  },
  ar: {
    ...{ react: 'تفاعل', with: 'تفاعل بـ 👍', back: 'سحب 👍', control: 'من يرد', human: 'استلام المحادثة' },
    ...{ wake: 'إلغاء التأجيل الآن', close: 'إغلاق المحادثة', summary: 'الخلاصة' },
    survey: 'سؤال العميل عن رأيه في الخدمة',
    reason: /السبب/,
  },
};

describe('in a conversation, a person', () => {
  for (const locale of languages) {
    it(`reacts, hands over to a bot and back, puts off, and closes with a survey (${locale})`, async () => {
      const word = words[locale];
      const { conversation_id, message_id } = await receiveMessage(majlis, workspace, newDigits());
      const at = `/conversations/${conversation_id}`;
      const read = async (end = '') => (await omar.at('GET', `${at}${end}`)).body;
      const until = (holds: (now: AnyJson) => boolean, end = '') => eventually(() => read(end), holds);
      const path = `/w/${workspace.id}/inbox/${conversation_id}`;
      const { page, context, troubles } = await openSignedIn(
        pages,
        { url: majlis.url, member: omar, path },
        { locale, viewport: { width: 1440, height: 900 } },
      );
      const bubble = page.locator(`article[data-id="${message_id}"]`);
      const choose = async (name: string | RegExp) => {
        await page.getByRole('menuitem', { name }).or(page.getByRole('menuitemradio', { name })).first().click();
        await page.getByRole('menu').waitFor({ state: 'detached' });
      };
      const press = async (key: string) => {
        await page.evaluate('document.activeElement?.blur()');
        await page.keyboard.press(key);
      };
      await page.locator('textarea:read-write').waitFor();

      for (const [name, emoji] of [
        [word.with, '👍'],
        [word.back, ''],
      ] as const) {
        await bubble.hover();
        await bubble.getByRole('button', { name: word.react, exact: true }).click();
        await page.getByRole('dialog').getByRole('button', { name }).click();
        const reactions = ({ data }: AnyJson) => data.filter(({ kind }: AnyJson) => kind === 'reaction');
        await until((now) => reactions(now).at(-1)?.reaction?.emoji === emoji, '/thread');
      }

      const openControl = () => page.locator('[data-anchor=control] button').first().click();
      await openControl();
      await choose('Concierge');
      await until(({ controller }) => controller === 'bot');
      await openControl();
      await choose(word.human);
      await until(({ controller }) => controller === 'human');
      await openControl();
      await choose('Concierge');
      await until(({ controller }) => controller === 'bot');
      await page.locator('header').getByRole('button', { name: word.human }).dblclick();
      await until(({ controller }) => controller === 'human');
      await page.locator('header').getByRole('button', { name: word.human }).waitFor({ state: 'detached' });
      assert.equal(await page.getByRole('menu').count(), 0);

      await press('s');
      await page.getByRole('menuitem').first().click();
      await until(({ snoozed_until }) => snoozed_until !== undefined, '/state');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await press('s');
      await choose(word.wake);
      await until(({ snoozed_until }) => snoozed_until === undefined, '/state');

      await press('e');
      const dialog = page.getByRole('dialog', { name: word.close });
      await dialog.getByRole('button', { name: word.reason }).click();
      await page.getByRole('option', { name: 'Sold' }).click();
      await dialog.getByLabel(word.summary).fill('They bought a sofa. اشتروا كنبة');
      await dialog.getByText(word.survey).click();
      await dialog.locator('button[type=submit]').click();
      await until(({ status }) => status === 'closed');
      const isSurvey = ({ kind, direction }: AnyJson) => kind === 'text' && direction === 'outbound';
      const { data } = await until(({ data: items }) => items.some(isSurvey), '/thread');
      const closing = data.find(({ kind }: AnyJson) => kind === 'closed');
      assert.deepEqual([closing.reason, closing.summary], ['Sold', 'They bought a sofa. اشتروا كنبة']);
      assert.deepEqual(troubles, []);
      await context.close();
    });
  }
});
