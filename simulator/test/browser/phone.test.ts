import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { type Browser, chromium, type Page } from 'playwright-core';
import { numberId, startTestSimulator, wamidOf } from '../test-simulator.ts';
import { until } from '../until.ts';

/** Needs Chromium: the one named by CHROMIUM, or the system's. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const customer = '96891234567';
const s = startTestSimulator({ delays: { sent_ms: 1, delivered_ms: 2, read_ms: null, review_ms: 1 } });
let browser: Browser;
let page: Page;
const troubles: string[] = [];

before(async () => {
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  cleanUp('the browser', () => browser.close());
  page = await browser.newPage();
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(s.simulator.url)) troubles.push(`left the origin: ${request.url()}`);
  });
  page.on('dialog', (dialog) => troubles.push(`a script ran: ${dialog.message()}`));
  await page.goto(s.simulator.url);
});

const thread = () => page.getByRole('log', { name: 'Messages' });
const said = (text: string) => thread().getByText(text, { exact: true });
const lastInbound = async (count: number) => {
  await until(`${count} inbound messages`, () => s.receiver.messages().length >= count);
  return s.receiver.messages().at(-1)!;
};

test('starts a chat as a customer, by keyboard alone', async () => {
  await page.getByRole('button', { name: 'New chat', disabled: false }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Your number').fill('+968 9123 4567');
  await page.getByLabel('Your name').fill('Salma');
  await page.keyboard.press('Enter');
  await page.getByText('Window closed').waitFor();
  await page.locator('#composer-text:focus').waitFor();
  await page.keyboard.type('Hello <b>you</b>');
  await page.keyboard.press('Enter');
  const message = await lastInbound(1);
  assert.deepEqual(message.text, { body: 'Hello <b>you</b>' });
  assert.equal(message.from, customer);
  await said('Hello <b>you</b>').waitFor();
  await page.getByText('Window open').waitFor();
});

test('starts no chat before it knows its numbers', async () => {
  const another = await browser.newPage();
  const known = Promise.withResolvers<void>();
  await another.route('**/control/numbers', async (route) => {
    await known.promise;
    await route.continue();
  });
  await another.goto(s.simulator.url);
  await another.getByText('live', { exact: true }).waitFor();
  await another.getByRole('button', { name: 'New chat', disabled: true }).waitFor();
  known.resolve();
  await another.getByRole('button', { name: 'New chat', disabled: false }).click();
  await another.getByLabel('Your number').waitFor();
  await another.close();
});

test('shows what the business sends as it comes, as text and never as markup', async () => {
  const body = '<img src=x onerror=alert(1)> *bold*';
  const answer = await s.send(customer, { type: 'text', text: { body } });
  await thread().getByText('<img src=x onerror=alert(1)>').waitFor();
  assert.equal(await thread().locator('img').count(), 0);
  assert.equal(await thread().locator('strong').textContent(), 'bold');
  await thread().getByRole('img', { name: 'read' }).waitFor();
  await until('the reading is told', () => s.statusesOf(wamidOf(answer)).some((status) => status.status === 'read'));
});

test('sets Arabic from right to left', async () => {
  await s.send(customer, { type: 'text', text: { body: 'وعليكم السلام 123' } });
  await thread().locator('p:dir(rtl)').filter({ hasText: 'وعليكم السلام 123' }).waitFor();
});

test('taps reply buttons and picks from lists', async () => {
  const before = s.receiver.messages().length;
  const button = { type: 'reply', reply: { id: 'keep', title: 'Keep it' } };
  await s.send(customer, {
    type: 'interactive',
    interactive: { type: 'button', body: { text: 'Slot?' }, action: { buttons: [button] } },
  });
  await thread().getByRole('button', { name: 'Keep it' }).click();
  assert.equal((await lastInbound(before + 1)).type, 'interactive');
  const sections = [{ rows: [{ id: 'b1', title: 'Olaya' }] }];
  await s.send(customer, {
    type: 'interactive',
    interactive: { type: 'list', body: { text: 'Which?' }, action: { button: 'Show branches', sections } },
  });
  await thread().getByRole('button', { name: 'Show branches' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Olaya' }).click();
  assert.deepEqual((await lastInbound(before + 2)).interactive, {
    type: 'list_reply',
    list_reply: { id: 'b1', title: 'Olaya' },
  });
});

test('reacts and quotes', async () => {
  const before = s.receiver.messages().length;
  const answer = await s.send(customer, { type: 'text', text: { body: 'Rate us' } });
  const row = thread().getByRole('article').filter({ hasText: 'Rate us' });
  await row.hover();
  await row.getByRole('button', { name: 'React 👍' }).click();
  assert.deepEqual((await lastInbound(before + 1)).reaction, { message_id: wamidOf(answer), emoji: '👍' });
  await row.hover();
  await row.getByRole('button', { name: 'Reply' }).click();
  await page.keyboard.type('Five stars');
  await page.keyboard.press('Enter');
  const quoting = await lastInbound(before + 2);
  assert.equal((quoting.context as { id: string }).id, wamidOf(answer));
});

test('sends a picture', async () => {
  const before = s.receiver.messages().length;
  await page
    .locator('#file')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('not really') });
  const message = await lastInbound(before + 1);
  assert.equal((message.image as { mime_type: string }).mime_type, 'image/png');
  assert.equal((await s.call('GET', (message.image as { id: string }).id)).status, 200);
});

test('lists the failures to order, and switches of the platform', async () => {
  await page.getByRole('button', { name: /^…131026/ }).click();
  assert.match(await page.getByLabel('Your number').inputValue(), /131026$/);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByLabel('Enforce the 24-hour window').uncheck();
  await until('the switch is off', async () => {
    const { switches } = (await s.control('GET', 'settings')).body as { switches: { window: boolean } };
    return !switches.window;
  });
});

test('finds its chat again after a reload, and shows failures', async () => {
  await page.reload();
  await said('Rate us').first().waitFor();
  await s.control('PATCH', 'settings', { switches: { window: true } });
  await s.send('96891131026', { type: 'text', text: { body: 'no way' } });
  await page.getByRole('button', { name: /\+96891131026/ }).click();
  await thread().getByText('131047 Re-engagement message').waitFor();
  assert.equal(new URL(page.url()).hash, `#${numberId}/96891131026`);
});

test('has thrown nothing and asked nobody else', () => {
  assert.deepEqual(
    troubles.filter((one) => !one.includes('a.png')),
    [],
  );
});
