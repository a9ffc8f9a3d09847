import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { languages } from '@majlis/testing/languages';
import { newDigits } from '@majlis/testing/messages';
import { draftsOf, openComposer, sentTexts } from '@majlis/testing/open-composer';
import { openMortalPages, openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { messageReceiver } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import type { Route } from 'playwright-core';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const { url, simulator } = majlis;
const pages = await openPages(majlis);
const sends = '**/conversations/*/messages';

for (const locale of languages)
  describe(`an agent at work, in ${locale},`, async () => {
    const workspace = await majlis.workspace();
    const member = await joinWorkspace(majlis, workspace, { name: 'Muna Salim', role: 'agent' });
    const receive = messageReceiver(majlis, workspace);
    const open = (conversation_id: string, from = pages) =>
      openComposer(from, { url, workspace, member, conversation_id }, { locale });
    const untilSent = (conversation_id: string, texts: string[]) =>
      eventually(
        () => sentTexts(workspace, conversation_id),
        (sent) => JSON.stringify(sent) === JSON.stringify(texts),
      );

    it('answers twenty customers by keys alone, each in its own words, while they write on', async (t) => {
      const customers = await Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          const digits = newDigits();
          const { conversation_id, actor_id } = await receive(digits, 'text', `Question ${n}`);
          const name = `${locale === 'en' ? 'Customer' : 'عميل'} ${String(n).padStart(2, '0')}`;
          await member.at('PATCH', `/contacts/${actor_id}`, { name });
          return { digits, conversation_id, name, answer: `${locale === 'en' ? 'Answer' : 'جواب'} ${n}` };
        }),
      );
      const { page, context, troubles } = await open(customers[0]!.conversation_id);
      const began = performance.now();
      for (const [n, { conversation_id, name, answer }] of customers.entries()) {
        if (n > 0) {
          await page.keyboard.press('Escape');
          await page.keyboard.press('Control+KeyK');
          await page.getByRole('dialog').waitFor();
          await page.keyboard.type(name);
          // Enter takes the entry that has the focus.
          await page.locator('[role=menuitem][data-focused]', { hasText: name }).waitFor();
          await page.keyboard.press('Enter');
          await page.waitForURL(`**/${conversation_id}`);
        }
        await page.locator('section[data-mode] textarea:read-write').waitFor();
        await page.keyboard.press('KeyR');
        await page.keyboard.type(answer);
        await page.keyboard.press('Enter');
        // Another customer writes meanwhile, so the list changes its order.
        const other = customers[(n + 7) % customers.length]!;
        void receive(other.digits, 'text', `And ${n}`);
      }
      for (const { conversation_id, answer } of customers) await untilSent(conversation_id, [answer]);
      t.diagnostic(`twenty conversations in ${Math.round(performance.now() - began)} ms`);
      const expected = customers.map(({ digits, answer }) => [digits, [answer]]);
      const reached = () =>
        customers.map(({ digits }) => [
          digits,
          simulator
            .ledger()
            .flatMap(({ body }: AnyJson) => (body.to.replace('+', '') === digits ? [body.text.body] : [])),
        ]);
      await eventually(reached, (found) => found.every(([, texts]) => texts!.length > 0));
      assert.deepEqual([reached(), troubles], [expected, []]);
      await context.close();
    });

    for (const isStored of [true, false]) {
      it(`sends once though the browser dies in a send, ${isStored ? 'stored already' : 'not stored yet'}`, async () => {
        const { conversation_id } = await receive(newDigits(), 'text', 'Hello');
        const mortal = await openMortalPages(majlis);
        const { page, reply } = await open(conversation_id, mortal);
        const caught = new Promise<void>((resolve) => {
          void page.route(sends, async (route: Route) => {
            if (route.request().method() !== 'POST') return route.continue();
            if (isStored) await route.fetch();
            resolve();
          });
        });
        await reply.fill('Sent once');
        await reply.press('Enter');
        await caught;
        await mortal.kill();
        const again = await open(conversation_id);
        await untilSent(conversation_id, ['Sent once']);
        await eventually(
          () => draftsOf(member, conversation_id),
          (drafts) => drafts.length === 0,
        );
        assert.equal(await again.reply.inputValue(), '');
        await again.page.reload();
        await again.page.locator('textarea:read-write').waitFor();
        assert.equal(await again.reply.inputValue(), '');
        assert.deepEqual(await sentTexts(workspace, conversation_id), ['Sent once']);
        await again.context.close();
      });
    }

    it('answers one message of several, and the customer sees which', async () => {
      const digits = newDigits();
      const { id, conversation_id } = await receive(digits, 'text', 'Is the blue one in stock?');
      await receive(digits, 'text', 'And do you deliver to Nizwa?');
      const { page, reply, context, troubles } = await open(conversation_id);
      const bubble = page.locator(`article[data-id="${id}"]`);
      await bubble.hover();
      await bubble.getByRole('button', { name: locale === 'en' ? 'Reply' : 'رد', exact: true }).click();
      await reply.fill('It is.');
      await reply.press('Enter');
      await untilSent(conversation_id, ['It is.']);
      const { data } = (await workspace.api.get(`/conversations/${conversation_id}/messages`)).body;
      const sent = data.find(({ direction }: AnyJson) => direction === 'outbound');
      const entry = await eventually(
        () => simulator.ledger().find((one) => one.biz_opaque_callback_data === sent.id),
        (found) => found !== undefined,
      );
      const quoted = await majlis.sql('select platform_message_id as wamid from messages where body = $1', [
        'Is the blue one in stock?',
      ]);
      const { body }: AnyJson = entry;
      assert.ok(quoted.some(({ wamid }) => wamid === body.context.message_id));
      assert.deepEqual(troubles, []);
      await context.close();
    });
  });
