import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { draftsOf, openComposer, sentTexts } from '@majlis/testing/open-composer';
import { openMortalPages, openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, type Member, password } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { signInByForm } from '@majlis/testing/sign-in-pages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const muna = await joinWorkspace(majlis, workspace, { name: 'Muna Salim' });
const sara = await joinWorkspace(majlis, workspace, { name: 'Sara Nasser' });
const pages = await openPages(majlis);

const { url } = majlis;
const receive = () => receiveMessage(majlis, workspace, newDigits());
const untilDrafts = (member: Member, conversation_id: string, drafts: string[]) =>
  eventually(
    () => draftsOf(member, conversation_id),
    (found) => JSON.stringify(found) === JSON.stringify(drafts),
  );

const endSessions = ({ email }: Member) =>
  majlis.sql('delete from sessions where person_id = (select id from people where email = $1)', [email]);

// The service ends a presence 30 seconds after its last sign, at the latest.
const presenceSeconds = 31;

for (const locale of languages) {
  const open = (member: Member, conversation_id: string, from = pages) =>
    openComposer(from, { url, workspace, member, conversation_id }, { locale });

  describe(`two people, in ${locale},`, () => {
    it('find their drafts elsewhere after their browser was killed, and nobody else’s', async () => {
      const { conversation_id } = await receive();
      const mortal = await openMortalPages(majlis);
      const { page, words, reply, note } = await open(muna, conversation_id, mortal);
      await reply.fill('Half a reply');
      await page.getByRole('tab', { name: words.note }).click();
      await note.fill('Half a note');
      await untilDrafts(muna, conversation_id, ['note: Half a note', 'reply: Half a reply']);
      await mortal.kill();
      const again = await open(muna, conversation_id);
      await eventually(
        () => again.reply.inputValue(),
        (text) => text === 'Half a reply',
      );
      await again.page.getByRole('tab', { name: words.note }).click();
      await eventually(
        () => again.note.inputValue(),
        (text) => text === 'Half a note',
      );
      const other = await open(sara, conversation_id);
      assert.equal(await other.reply.inputValue(), '');
      assert.deepEqual(await sentTexts(workspace, conversation_id), []);
      await again.context.close();
      await other.context.close();
    });

    it('see each other type, and no more after a crash', async () => {
      const { conversation_id } = await receive();
      const watching = await open(sara, conversation_id);
      const { page, words } = watching;
      await page.clock.install();
      await page.reload();
      await watching.reply.waitFor();
      const mortal = await openMortalPages(majlis);
      const typing = await open(muna, conversation_id, mortal);
      await page.getByText(words.viewing('Muna')).waitFor();
      await typing.reply.fill('Hel');
      await page.getByText(words.typing_reply('Muna')).waitFor();
      await mortal.kill();
      await majlis.advance(presenceSeconds);
      await page.clock.fastForward(presenceSeconds * 1_000);
      await page.getByText(words.typing_reply('Muna')).waitFor({ state: 'detached' });
      await page.getByText(words.viewing('Muna')).waitFor({ state: 'detached' });
      await watching.context.close();
    });

    it('find what they typed while their session was ended elsewhere', async () => {
      const { conversation_id } = await receive();
      const writer = await joinWorkspace(majlis, workspace, { name: 'Huda Ali' });
      const { page, reply, context } = await open(writer, conversation_id);
      await reply.fill('Saved');
      await untilDrafts(writer, conversation_id, ['reply: Saved']);
      // The page has not heard yet that its session is over when it saves again.
      await page.route(
        '**/drafts/**',
        async (route) => {
          await endSessions(writer);
          await route.continue();
        },
        { times: 1 },
      );
      await reply.press('End');
      await page.keyboard.insertText(', and typed after it');
      await signInByForm(page, writer);
      await eventually(
        () => reply.inputValue(),
        (text) => text === 'Saved, and typed after it',
      );
      await writer.post('/sign-in', { email: writer.email, password });
      await untilDrafts(writer, conversation_id, ['reply: Saved, and typed after it']);
      await context.close();
    });

    it('find what they sent without a network, when their session has ended meanwhile', async () => {
      const { conversation_id } = await receive();
      const writer = await joinWorkspace(majlis, workspace, { name: 'Huda Ali' });
      const { page, reply, context } = await open(writer, conversation_id);
      await context.setOffline(true);
      for (const text of ['First', 'Second']) {
        await reply.fill(text);
        await reply.press('Enter');
        await page.locator('[role=feed]').getByText(text).waitFor();
      }
      await reply.fill('Third');
      await endSessions(writer);
      await context.setOffline(false);
      await signInByForm(page, writer);
      await eventually(
        () => reply.inputValue(),
        (text) => text === 'First\nSecond\nThird',
      );
      await writer.post('/sign-in', { email: writer.email, password });
      await untilDrafts(writer, conversation_id, ['reply: First\nSecond\nThird']);
      assert.deepEqual(await sentTexts(workspace, conversation_id), []);
      await context.close();
    });

    it('send once what the service had just kept when their session ended', async () => {
      const { conversation_id } = await receive();
      const writer = await joinWorkspace(majlis, workspace, { name: 'Huda Ali' });
      const { page, reply, context } = await open(writer, conversation_id);
      const written = Promise.withResolvers<void>();
      // The service keeps the text with the key of its send. The answer is lost.
      await page.route('**/drafts/**', async (route) => {
        if (!route.request().postData()?.includes('"send"')) return route.abort();
        await route.fetch();
        await written.promise;
        await endSessions(writer);
        await route.abort();
        await page.unroute('**/drafts/**');
      });
      await reply.fill('Once');
      await reply.press('Enter');
      await reply.fill('Written after it');
      written.resolve();
      await signInByForm(page, writer);
      await eventually(
        () => sentTexts(workspace, conversation_id),
        (texts) => texts.length > 0,
      );
      await writer.post('/sign-in', { email: writer.email, password });
      await untilDrafts(writer, conversation_id, ['reply: Written after it']);
      assert.deepEqual(await sentTexts(workspace, conversation_id), ['Once']);
      await context.close();
    });

    it('leave what is not saved yet to nobody who signs in after them in the same browser', async () => {
      const { conversation_id } = await receive();
      const writer = await joinWorkspace(majlis, workspace, { name: 'Huda Ali' });
      const next = await joinWorkspace(majlis, workspace, { name: 'Omar Ali' });
      const { page, reply, context } = await open(writer, conversation_id);
      const other = await context.newPage();
      await other.goto(page.url());
      await other.locator('section[data-mode] textarea:read-write').waitFor();
      await page.clock.install();
      let saves = 0;
      await page.route('**/drafts/**', (route) => {
        saves += 1;
        return route.abort();
      });
      await reply.fill('Huda’s own words');
      await page.clock.fastForward(1_000);
      await eventually(
        () => saves,
        (count) => count === 1,
      );
      const out = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
      await other.evaluate(`fetch('/console/v1/sign-out', ${JSON.stringify(out)}).then(({ status }) => status)`);
      await page.locator('input[type=password]').waitFor();
      await signInByForm(other, next);
      await other.locator('section[data-mode] textarea:read-write').waitFor();
      await page.unroute('**/drafts/**');
      // The page would have tried again by now.
      await page.clock.fastForward(10_000);
      await page.evaluate(`fetch('/console/v1/session').then(({ status }) => status)`);
      await page.reload();
      await page.locator('section[data-mode] textarea:read-write').waitFor();
      assert.equal(await reply.inputValue(), '');
      assert.deepEqual(await draftsOf(next, conversation_id), []);
      await context.close();
    });

    it('stay signed in when an answer to their ended session comes late', async () => {
      const { conversation_id } = await receive();
      const writer = await joinWorkspace(majlis, workspace, { name: 'Huda Ali' });
      const { page, reply, context } = await open(writer, conversation_id);
      const [late, inTime] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.route(
        '**/drafts/**',
        async (route) => {
          await endSessions(writer);
          const response = await route.fetch();
          assert.equal(response.status(), 401);
          await late.promise;
          await route.fulfill({ response });
          inTime.resolve();
        },
        { times: 1 },
      );
      await reply.fill('Typed before');
      // The stream tells the page meanwhile.
      await signInByForm(page, writer);
      await reply.waitFor();
      late.resolve();
      await inTime.promise;
      await writer.post('/sign-in', { email: writer.email, password });
      await untilDrafts(writer, conversation_id, ['reply: Typed before']);
      await reply.waitFor();
      await context.close();
    });

    it('press Enter in the same moment: one message leaves, and the other person decides', async () => {
      const { conversation_id } = await receive();
      const both = [await open(muna, conversation_id), await open(sara, conversation_id)];
      const names = ['Muna', 'Sara'];
      for (const [n, { page, reply }] of both.entries()) {
        await page.locator('[role=feed] [data-message]').first().waitFor();
        await reply.fill(`Of ${names[n]}`);
      }
      await untilDrafts(muna, conversation_id, ['reply: Of Muna']);
      await untilDrafts(sara, conversation_id, ['reply: Of Sara']);
      // Each send waits at its gate until both are on their way.
      let arrive = () => {};
      const arrived = new Promise<void>((resolve) => {
        const gate = both.length;
        let count = 0;
        arrive = () => {
          count += 1;
          if (count === gate) resolve();
        };
      });
      for (const { page } of both) {
        await page.route(`**/conversations/${conversation_id}/messages`, async (route) => {
          if (route.request().method() === 'POST') {
            arrive();
            await arrived;
          }
          await route.continue();
        });
      }
      for (const { reply } of both) await reply.press('Enter');
      const held = await Promise.any(
        both.map(async ({ page, words }, n) => {
          await page.getByText(words.replied(names[1 - n]!)).waitFor();
          return n;
        }),
      );
      const faster = `Of ${names[1 - held]}`;
      assert.deepEqual(await sentTexts(workspace, conversation_id), [faster]);
      const { page, words } = both[held]!;
      await page.getByRole('button', { name: words.send_anyway, exact: true }).click();
      await eventually(
        () => sentTexts(workspace, conversation_id),
        (texts) => texts.length === 2,
      );
      assert.deepEqual(await sentTexts(workspace, conversation_id), [faster, `Of ${names[held]}`]);
      for (const { context } of both) await context.close();
    });

    for (const decision of ['show', 'send_anyway'] as const) {
      it(`are asked before an answer over a newer one: ${decision}`, async () => {
        const { conversation_id } = await receive();
        const { page, words, reply, context } = await open(muna, conversation_id);
        // What is in the thread at its first reading counts as seen.
        await page.locator('[role=feed] [data-message]').first().waitFor();
        await reply.fill('My answer');
        await untilDrafts(muna, conversation_id, ['reply: My answer']);
        const sent = { kind: 'text', body: 'Her answer' };
        const { status } = await sara.at('POST', `/conversations/${conversation_id}/messages`, sent);
        assert.equal(status, 201);
        await reply.press('Enter');
        await page.getByText(words.replied('Sara')).waitFor();
        assert.deepEqual(await sentTexts(workspace, conversation_id), ['Her answer']);
        await page.getByRole('button', { name: words[decision], exact: true }).click();
        if (decision === 'show') {
          await eventually(
            () => reply.inputValue(),
            (text) => text === 'My answer',
          );
          assert.deepEqual(await sentTexts(workspace, conversation_id), ['Her answer']);
        } else {
          await eventually(
            () => sentTexts(workspace, conversation_id),
            (texts) => texts.length === 2,
          );
          assert.deepEqual(await sentTexts(workspace, conversation_id), ['Her answer', 'My answer']);
        }
        await context.close();
      });
    }
  });
}
