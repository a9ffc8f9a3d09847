import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { draftsOf, openComposer, sentTexts } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace, { name: 'Muna Salim' });
const pages = await openPages(majlis);

const { url } = majlis;
const receive = () => receiveMessage(majlis, workspace, newDigits());
const open = (conversation_id: string, locale: 'en' | 'ar' = 'en') =>
  openComposer(pages, { url, workspace, member, conversation_id }, { locale });
const untilDrafts = (conversation_id: string, drafts: string[]) =>
  eventually(
    () => draftsOf(member, conversation_id),
    (found) => JSON.stringify(found) === JSON.stringify(drafts),
  );

for (const locale of languages)
  describe(`a note, in ${locale},`, () => {
    it('is one note when its answer is lost, and no customer gets it', async () => {
      const { conversation_id } = await receive();
      const { page, words, note, context } = await open(conversation_id, locale);
      let attempts = 0;
      await page.route('**/conversations/*/notes', async (route) => {
        attempts += 1;
        if (attempts > 1) return route.continue();
        await route.fetch();
        await route.abort();
      });
      await page.getByRole('tab', { name: words.note }).click();
      await note.fill('She is angry');
      await note.press('Enter');
      await eventually(
        () => attempts,
        (count) => count === 2,
      );
      await untilDrafts(conversation_id, []);
      const { data } = (await workspace.api.get(`/conversations/${conversation_id}/messages`)).body;
      const notes = data.filter(({ kind }: { kind: string }) => kind === 'note');
      assert.deepEqual(
        notes.map(({ body }: { body: string }) => body),
        ['She is angry'],
      );
      assert.equal(attempts, 2);
      assert.deepEqual(await sentTexts(workspace, conversation_id), []);
      await context.close();
    });

    it('names a colleague from the list that @ opens', async () => {
      const { conversation_id } = await receive();
      const name = locale === 'en' ? 'Sara Nasser' : 'خالد ناصر';
      const [first] = name.split(' ');
      const colleague = await joinWorkspace(majlis, workspace, { name, role: 'agent' });
      const { page, words, note, context } = await open(conversation_id, locale);
      await page.getByRole('tab', { name: words.note }).click();
      // The field is enabled as soon as the draft is read.
      await note.click();
      await note.pressSequentially(`Please call, @${first!.slice(0, 2).toLowerCase()}`);
      await page.getByRole('option', { name }).waitFor();
      await note.press('Enter');
      assert.equal(await note.inputValue(), `Please call, @${first} `);
      await note.press('Enter');
      const mentioned = await eventually(
        () => colleague.at('GET', '/inbox?view=mentions'),
        ({ body }) => body.data.length === 1,
      );
      assert.equal(mentioned.body.data[0].conversation.id, conversation_id);
      await context.close();
    });

    it('cannot be mistaken for a reply: by its words, its button and its frame, besides its colour', async () => {
      const { conversation_id } = await receive();
      const { page, words, reply, note, context } = await open(conversation_id, locale);
      const frame = "document.querySelector('section[data-mode] [role=tablist]').parentElement.parentElement";
      const styleOf = (): Promise<string> => page.evaluate(`getComputedStyle(${frame}).borderTopStyle`);
      const ofReply = await styleOf();
      await reply.fill('For the customer');
      await page.getByRole('tab', { name: words.note }).click();
      assert.equal(await note.inputValue(), '');
      assert.equal(await page.getByText(words.note_hint).isVisible(), true);
      assert.equal(await page.getByRole('button', { name: words.send, exact: true }).count(), 0);
      assert.deepEqual([ofReply, await styleOf()], ['solid', 'dashed']);
      await note.fill('For us alone');
      await page.getByRole('button', { name: words.send_note }).click();
      await page.getByText('For us alone').waitFor();
      await page.getByRole('tab', { name: words.reply }).click();
      assert.equal(await reply.inputValue(), 'For the customer');
      assert.deepEqual(await sentTexts(workspace, conversation_id), []);
      await context.close();
    });
  });
