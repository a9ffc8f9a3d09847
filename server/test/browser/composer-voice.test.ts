import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composerWords } from '@majlis/testing/composer-words';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { openComposer } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace, password } from '@majlis/testing/people';
import { filesAtPlatform } from '@majlis/testing/platform-files';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace, { name: 'Muna Salim' });
const { url } = majlis;
const pages = await openPages(majlis, [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--host-resolver-rules=MAP majlis.test 127.0.0.1',
]);

/** A busy page may leave out any second of the clock. */
const aSecond = /^0:(?!00)\d\d$/;

for (const locale of languages)
  describe(`a voice message, in ${locale},`, () => {
    async function open() {
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      const options = { locale, permissions: ['microphone'] };
      const opened = await openComposer(pages, { url, workspace, member, conversation_id }, options);
      const { page, words } = opened;
      const record = page.getByRole('toolbar').getByRole('button', { name: words.voice });
      const strip = page.getByRole('list', { name: words.attachments });
      const stop = page.getByRole('button', { name: words.voice_stop });
      const discard = page.getByRole('button', { name: words.voice_discard });
      return { ...opened, conversation_id, record, strip, stop, discard };
    }

    it('is recorded, heard, and sent as ogg with opus in it, which plays in the thread', async () => {
      const { page, words, record, strip, stop, conversation_id, context, troubles } = await open();
      await record.click();
      await page.getByText(aSecond).waitFor();
      await stop.click();
      const player = strip.getByLabel(words.voice_listen);
      await player.waitFor();
      await eventually(
        () => player.evaluate((audio: AnyJson) => audio.duration as number),
        // Infinite until the browser has found the end.
        (duration) => duration > 0.5 && Number.isFinite(duration),
      );
      await player.evaluate((audio: AnyJson) => audio.play());
      await eventually(
        () => player.evaluate((audio: AnyJson) => audio.currentTime as number),
        (position) => position > 0.2,
      );
      await page.getByRole('button', { name: words.send, exact: true }).click();
      const [file] = await filesAtPlatform(majlis, workspace, conversation_id, 1);
      assert.deepEqual([file!.type, file!.body.voice], ['audio', true]);
      assert.match(String(file!.mime), /^audio\/ogg/);
      assert.equal(file!.bytes.subarray(0, 4).toString('latin1'), 'OggS');
      assert.ok(file!.bytes.subarray(0, 200).includes('OpusHead'));
      const sent = page.getByRole('group', { name: words.voice_message });
      await sent.getByRole('button', { name: words.play }).click();
      await eventually(
        () => sent.locator('audio').evaluate((audio: AnyJson) => audio.currentTime as number),
        (position) => position > 0.2,
      );
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('is discarded while it is recorded, and after it', async () => {
      const { page, words, record, strip, stop, discard, context } = await open();
      await record.click();
      await page.getByText(aSecond).waitFor();
      await discard.first().click();
      await stop.waitFor({ state: 'detached' });
      assert.equal(await strip.count(), 0);
      await record.click();
      await page.getByText(aSecond).waitFor();
      await stop.click();
      await strip.getByText(words.ready).waitFor();
      await page.getByRole('button', { name: words.remove }).click();
      await strip.waitFor({ state: 'detached' });
      assert.equal(await page.getByRole('button', { name: words.send, exact: true }).isDisabled(), true);
      await context.close();
    });

    it('stands with the reply where the person leaves it while it is recorded, and is never lost', async () => {
      const { page, words, record, strip, stop, context, conversation_id } = await open();
      await record.click();
      await page.getByText(aSecond).waitFor();
      await page.getByRole('tab', { name: words.note }).click();
      await stop.waitFor({ state: 'detached' });
      await page.getByRole('tab', { name: words.reply }).click();
      await strip.getByText(words.ready).waitFor();
      await page.getByRole('button', { name: words.remove }).click();
      await strip.waitFor({ state: 'detached' });
      await record.click();
      await page.getByText(aSecond).waitFor();
      await page.locator('nav a[href$="/contacts"]').click();
      await stop.waitFor({ state: 'detached' });
      await page.goBack();
      await strip.getByText(words.ready).waitFor();
      await page.getByRole('button', { name: words.send, exact: true }).click();
      const [file] = await filesAtPlatform(majlis, workspace, conversation_id, 1);
      assert.deepEqual([file!.type, file!.body.voice], ['audio', true]);
      await context.close();
    });

    it('that the browser cannot finish after the person has left it is said to be lost', async () => {
      const { page, words, record, stop, context } = await open();
      await record.click();
      await page.getByText(aSecond).waitFor();
      // What puts the recording into its container is loaded at its end.
      await page.route('**/assets/src-*', (route) => route.abort());
      await page.getByRole('tab', { name: words.note }).click();
      await stop.waitFor({ state: 'detached' });
      await page.getByRole('alertdialog').getByText(words.voice_unable).waitFor();
      await context.close();
    });

    it('needs HTTPS off this machine, and the page says so', async () => {
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      const { page, context } = await pages.open({ locale, viewport: { width: 1280, height: 800 } });
      await page.goto(`http://majlis.test:${new URL(url).port}/w/${workspace.id}/inbox/${conversation_id}`);
      assert.equal(await page.evaluate('isSecureContext'), false);
      await page.locator('input[name=email]').fill(member.email);
      await page.locator('input[name=password]').fill(password);
      await page.keyboard.press('Enter');
      const words = composerWords[locale];
      await page.getByRole('toolbar').getByRole('button', { name: words.voice }).click();
      await page.getByText(words.voice_https).waitFor();
      await context.close();
    });
  });
