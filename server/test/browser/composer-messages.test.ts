import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callControl } from '@majlis/testing/call-control';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { addKnowledge } from '@majlis/testing/knowledge';
import { languages } from '@majlis/testing/languages';
import { samples } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { openComposer, sentTexts } from '@majlis/testing/open-composer';
import { openPages } from '@majlis/testing/open-pages';
import { joinWorkspace } from '@majlis/testing/people';
import { readFile } from '@majlis/testing/platform-files';
import { messageReceiver } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import { forceTemplateSync } from '@majlis/testing/templates';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const member = await joinWorkspace(majlis, workspace, { name: 'Muna Salim' });
const { url, simulator } = majlis;
const receive = messageReceiver(majlis, workspace);
const pages = await openPages(majlis);

const delivery = 'Delivery to Sohar takes four days.';
await addKnowledge(majlis, workspace, { text: delivery });
simulator.addTemplate({
  waba_id: workspace.waba_id,
  name: 'pictured',
  language: 'en',
  category: 'UTILITY',
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Look at {{1}}.' },
  ],
});
simulator.addTemplate({
  waba_id: workspace.waba_id,
  name: 'named',
  language: 'en',
  category: 'UTILITY',
  parameter_format: 'NAMED',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'For {{customer_name}}' },
    { type: 'BODY', text: 'Hello {{customer_name}}, order {{order_id}} has left, {{customer_name}}.' },
  ],
});
await forceTemplateSync(majlis, workspace);
const canned = { name: 'greet', body: 'Hello {{contact.first_name}}, {{agent.name}} of {{workspace.name}} here.' };
assert.equal((await member.at('POST', '/canned-replies', canned)).status, 201);

/** What the platform was sent in a conversation. */
async function atPlatform(conversation_id: string): Promise<AnyJson> {
  return (await entryOf(conversation_id)).body;
}

async function entryOf(conversation_id: string): Promise<AnyJson> {
  const [entry] = await eventually(
    async () => {
      const { data } = (await workspace.api.get(`/conversations/${conversation_id}/messages`)).body;
      const ids = data.filter(({ direction }: AnyJson) => direction === 'outbound').map(({ id }: AnyJson) => id);
      return simulator.ledger().filter((one) => ids.includes(one.biz_opaque_callback_data));
    },
    (entries) => entries.length === 1,
  );
  return entry!;
}

for (const locale of languages)
  describe(`besides texts, in ${locale},`, () => {
    async function open() {
      const question = 'How long does delivery to Sohar take?';
      const { conversation_id, actor_id } = await receive(newDigits(), 'text', question);
      await member.at('PATCH', `/contacts/${actor_id}`, { name: 'Salim Al Harthi' });
      const opened = await openComposer(pages, { url, workspace, member, conversation_id }, { locale });
      const { page, words } = opened;
      const tool = page.getByRole('toolbar').getByRole('button', { name: words.more, exact: true });
      async function choose(entry: string) {
        await tool.click();
        await page.getByRole('menuitem', { name: entry }).click();
      }
      const field = (name: string) => page.getByRole('textbox', { name, exact: true });
      const send = page.getByRole('button', { name: words.send, exact: true });
      return { ...opened, conversation_id, choose, field, send };
    }

    it('a message with buttons is sent, and its choices stand in the thread', async () => {
      const { page, words, choose, field, send, conversation_id, context, troubles } = await open();
      await choose(words.interactive);
      await field(words.interactive_text).fill('Which size?');
      await field(words.choice(1)).fill('Small');
      await field(words.choice(2)).fill('كبير');
      await send.click();
      const { type, interactive } = await atPlatform(conversation_id);
      assert.deepEqual([type, interactive.type, interactive.body.text], ['interactive', 'button', 'Which size?']);
      assert.deepEqual(
        interactive.action.buttons.map(({ reply }: AnyJson) => reply.title),
        ['Small', 'كبير'],
      );
      await page.getByRole('feed').getByText('كبير').waitFor();
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('a location is sent by the coordinates of a map', async () => {
      const { words, choose, field, send, conversation_id, context, troubles } = await open();
      await choose(words.location);
      await field(words.coordinates).fill('23.588, 58.382');
      await field(words.place_name).fill('المتجر');
      await send.click();
      const { type, location } = await atPlatform(conversation_id);
      assert.equal(type, 'location');
      assert.deepEqual(
        [Number(location.latitude), Number(location.longitude), location.name],
        [23.588, 58.382, 'المتجر'],
      );
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('a customer who hides the number is asked for it, and it shows once they share it', async () => {
      const digits = newDigits();
      const { phone_number_id } = workspace;
      await callControl(majlis, 'PATCH', `/customers/${digits}`, { number_hidden: true });
      const hello = { phone_number_id, from: digits, name: `Layla ${digits}`, type: 'text', content: 'Hello' };
      await callControl(majlis, 'POST', '/inbound', hello);
      const [{ id: conversation_id }] = await eventually(
        async () => (await member.at('GET', `/conversations?q=Layla+${digits}`)).body.data,
        (list) => list.length === 1,
      );
      const opened = await openComposer(pages, { url, workspace, member, conversation_id }, { locale });
      const { page, words, context, troubles } = opened;
      const tool = page.getByRole('toolbar').getByRole('button', { name: words.more, exact: true });
      await tool.click();
      await page.getByRole('menuitem', { name: words.number }).click();
      await page.getByRole('textbox', { name: words.interactive_text, exact: true }).fill('Your number?');
      await page.getByRole('button', { name: words.send, exact: true }).click();
      const { wamid, body } = await entryOf(conversation_id);
      const { interactive } = body;
      assert.deepEqual([interactive.type, interactive.body.text], ['request_contact_info', 'Your number?']);
      await callControl(majlis, 'POST', `/messages/${wamid}/tap`, {});
      await page.getByText(words.number_given).waitFor();
      await page.locator('header').getByText(`+${digits}`).first().waitFor();
      await tool.click();
      await page.getByRole('menuitem', { name: words.location }).waitFor();
      await page.getByRole('menuitem', { name: words.number }).waitFor({ state: 'detached' });
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('a template is sent with the file of its header, byte for byte', async () => {
      const { page, words, field, conversation_id, context, troubles } = await open();
      await page.getByRole('toolbar').getByRole('button', { name: words.templates }).click();
      await page.getByRole('row', { name: 'pictured' }).click();
      await field(words.template_value(1)).fill('this');
      const send = page.getByRole('button', { name: words.template_send });
      assert.equal(await send.isDisabled(), true);
      const picture = { name: 'front.png', mimeType: 'image/png', buffer: samples.png };
      await page.locator('form input[type=file]').setInputFiles(picture);
      const preview = page.locator('[data-preview] img');
      await preview.waitFor();
      await send.click();
      const { template } = await atPlatform(conversation_id);
      const header = template.components.find(({ type }: AnyJson) => type === 'header');
      const [{ image }] = header.parameters;
      assert.equal((await readFile(simulator, 'image', image)).bytes.equals(samples.png), true);
      assert.deepEqual(await sentTexts(workspace, conversation_id), ['Look at this.']);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('a template with named values is sent, each name written once', async () => {
      const { page, words, field, conversation_id, context, troubles } = await open();
      await page.getByRole('toolbar').getByRole('button', { name: words.templates }).click();
      await page.getByRole('row', { name: 'named' }).click();
      await field(words.template_named_value('customer_name')).fill('Salma');
      await field(words.template_named_value('order_id')).fill('A-17');
      const text = 'Hello Salma, order A-17 has left, Salma.';
      await page.locator('[data-preview]').getByText(text).waitFor();
      await page.locator('[data-preview]').getByText('For Salma').waitFor();
      await page.getByRole('button', { name: words.template_send }).click();
      const { template } = await atPlatform(conversation_id);
      const [header, body] = template.components.map(({ parameters }: AnyJson) =>
        parameters.map(({ parameter_name, text: value }: AnyJson) => [parameter_name, value]),
      );
      assert.deepEqual(header, [['customer_name', 'Salma']]);
      assert.deepEqual(body, [
        ['customer_name', 'Salma'],
        ['order_id', 'A-17'],
      ]);
      assert.deepEqual(await sentTexts(workspace, conversation_id), [text]);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('a draft of AI is put into the reply, changed and sent', async () => {
      const { page, words, reply, conversation_id, context, troubles } = await open();
      await page.getByRole('toolbar').getByRole('button', { name: words.ai, exact: true }).click();
      await page.getByRole('menuitem', { name: words.ai_draft, exact: true }).click();
      await page.locator('[data-draft]').getByText(delivery).first().waitFor();
      assert.deepEqual(await sentTexts(workspace, conversation_id), []);
      await page.getByRole('button', { name: words.ai_insert }).click();
      await eventually(
        () => reply.inputValue(),
        (text) => text === delivery,
      );
      await reply.press('End');
      await reply.pressSequentially(' Welcome!');
      await reply.press('Enter');
      const { text } = await atPlatform(conversation_id);
      assert.equal(text.body, `${delivery} Welcome!`);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('a canned reply is chosen behind a slash, with its names filled in', async () => {
      const { page, reply, conversation_id, context, troubles } = await open();
      await reply.click();
      await reply.pressSequentially('/gre');
      await page.getByRole('option', { name: '/greet' }).waitFor();
      await reply.press('Enter');
      const expected = `Hello Salim, Muna Salim of ${workspace.applied.workspace.name} here.`;
      assert.equal(await reply.inputValue(), expected);
      assert.deepEqual(await sentTexts(workspace, conversation_id), []);
      await reply.press('Enter');
      const { text } = await atPlatform(conversation_id);
      assert.equal(text.body, expected);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('a canned reply that is not found yet waits for its Enter: no customer reads the slash', async () => {
      const { page, words, reply, conversation_id, context } = await open();
      const answers = Promise.withResolvers<void>();
      await page.route('**/canned-replies?**', async (route) => {
        await answers.promise;
        await route.continue();
      });
      await reply.fill('/gre');
      await reply.press('Enter');
      await page.getByText(words.searching).waitFor();
      assert.deepEqual([await reply.inputValue(), await sentTexts(workspace, conversation_id)], ['/gre', []]);
      answers.resolve();
      await page.getByRole('option', { name: '/greet' }).waitFor();
      await reply.press('Enter');
      assert.match(await reply.inputValue(), /^Hello Salim/);
      await page.unroute('**/canned-replies?**');
      await page.route('**/canned-replies?**', (route) => route.abort());
      await reply.fill('/etc');
      await page.getByText(words.list_unreadable).waitFor();
      await reply.press('Enter');
      const { text } = await atPlatform(conversation_id);
      assert.equal(text.body, '/etc');
      await context.close();
    });

    it('an emoji is chosen by its name behind a colon, by keys alone, and a time of day opens nothing', async () => {
      const { page, reply, conversation_id, context, troubles } = await open();
      await reply.click();
      await reply.pressSequentially('10:30 ');
      await reply.pressSequentially(locale === 'en' ? ':thumbs' : ':صاروخ');
      const options = page.getByRole('option');
      await options.first().waitFor();
      assert.match((await options.first().textContent())!, locale === 'en' ? /👍.*thumbs up/ : /🚀.*صاروخ/);
      await reply.press('Enter');
      // Both languages know English names.
      await reply.pressSequentially(' :red_he');
      await options.filter({ hasText: '❤️' }).first().waitFor();
      await reply.press('Tab');
      const expected = `10:30 ${locale === 'en' ? '👍' : '🚀'} ❤️`;
      assert.equal(await reply.inputValue(), expected);
      await reply.press('Enter');
      const { text } = await atPlatform(conversation_id);
      assert.equal(text.body, expected);
      assert.deepEqual(troubles, []);
      await context.close();
    });

    it('a note is begun by its key right after a send, and loses no letter', async () => {
      const { page, reply, note, conversation_id, context } = await open();
      await reply.fill('Four days.');
      await reply.press('Enter');
      await reply.press('Escape');
      await page.keyboard.press('KeyN');
      await eventually(
        () => note.evaluate((field: AnyJson) => field === field.ownerDocument.activeElement),
        (isFocused) => isFocused,
      );
      await page.keyboard.type('She is in a hurry');
      assert.equal(await note.inputValue(), 'She is in a hurry');
      await atPlatform(conversation_id);
      await context.close();
    });
  });
