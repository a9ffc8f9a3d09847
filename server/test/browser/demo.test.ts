import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { openPages, type Pages } from '@majlis/testing/open-pages';
import { makeFolder, type Process, startProcess } from '@majlis/testing/start-process';
import type { Page } from 'playwright-core';

describe('a fresh demo', () => {
  let DATA_DIR: string;
  let majlis: Process;
  let pages: Pages;
  let page: Page;
  let url: string;

  const start = (args: string[] = []) =>
    startProcess('bin/majlis.js', ['dev', ...args], { env: { DATA_DIR, PORT: '0', SIMULATOR_PORT: '0' } });

  async function listConversations(): Promise<Listed[]> {
    const key = await readFile(path.join(DATA_DIR, 'demo-api-key'), 'utf8');
    const response = await fetch(`${url}/v1/conversations?limit=100`, { headers: { authorization: `Bearer ${key}` } });
    return ((await response.json()) as { data: Listed[] }).data;
  }

  before(async () => {
    DATA_DIR = await makeFolder();
    majlis = start();
    cleanUp('the service', () => {
      majlis.child.kill('SIGTERM');
      return majlis.ended(15_000);
    });
    const [, link] = await majlis.says(/Console +(http\S+)/);
    url = new URL(link!).origin;
    pages = await openPages({ url });
    ({ page } = await pages.open({ viewport: { width: 1440, height: 900 } }));
    await page.goto(link!);
    await page.waitForURL('**/inbox');
  });

  it('is marked as one', async () => {
    await page.getByRole('navigation').getByText('Demo', { exact: true }).waitFor();
  });

  it('has a day of conversations, in both languages, of all kinds', async () => {
    const listed = await listConversations();
    // A snoozed conversation is not listed.
    assert.ok(listed.length >= 15, String(listed.length));
    const times = listed.map(({ last_message_at }) => Date.parse(last_message_at));
    const hours = (Math.max(...times) - Math.min(...times)) / 3_600_000;
    assert.ok(hours > 20, `${hours} hours`);
    assert.ok(Date.now() - Math.max(...times) < 15 * 60_000);
    assert.ok(times.every((time) => time <= Date.now()));
    assert.ok(listed.some(({ contact_name }) => /\p{Script=Arabic}/u.test(contact_name)));
    assert.ok(new Set(listed.map(({ assignee_id }) => assignee_id)).size >= 5);
    assert.ok(listed.some(({ status }) => status === 'closed'));
    assert.ok(listed.some(({ controller }) => controller === 'bot'));
    assert.ok(listed.some(({ tags }) => tags.length > 0));
    assert.ok(listed.some(({ window_expires_at }) => Date.parse(window_expires_at) < Date.now()));
  });

  it('has one answer of an AI agent that waits for a yes, from its knowledge, beside one that was sent', async () => {
    const link = page.getByRole('link', { name: 'One proposal waits for your approval' });
    await link.click();
    const card = page.locator('article[data-proposal]');
    await card.getByText(/Export desk.? proposes a reply/).waitFor();
    await card.getByText('How long does delivery to the Emirates take').waitFor();
    await card.getByText('Delivery to the Emirates takes six days; customs are included in the price.').waitFor();
    await card.getByText('Delivery abroad').waitFor();
    assert.equal(await card.count(), 1);
    const bots = (await listConversations()).filter(({ controller }) => controller === 'bot');
    assert.deepEqual(bots.map(({ contact_name }) => contact_name).sort(), ['Daniel Okafor', 'Khalid Al Mansoori']);
    await page.goBack();
  });

  it('has a customer who answers a reply, also on the phone beside the inbox', async () => {
    await page.getByText('Muna', { exact: true }).first().click();
    const [phone] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: "Open the customer's phone" }).click(),
    ]);
    const reply = page.getByRole('textbox', { name: /Write to Muna/ }).or(page.locator('textarea').first());
    await reply.first().fill('It is on its way and arrives at five.');
    await reply.first().press('Enter');
    await phone.getByRole('log').getByText('It is on its way and arrives at five.').waitFor();
    const answer = 'Great. Please ask the driver to call me first.';
    await phone.getByRole('log').getByText(answer).waitFor({ timeout: 60_000 });
    await page.getByRole('main').getByText(answer).first().waitFor({ timeout: 60_000 });
  });

  it('goes on where it was at a later start', async () => {
    const before = await listConversations();
    majlis.child.kill('SIGTERM');
    await majlis.ended();
    majlis = start(['--quiet-customers']);
    [, url] = (await majlis.says(/Majlis is ready at (http:\S+)$/m)) as [string, string];
    assert.deepEqual((await listConversations()).map(({ id }) => id).sort(), before.map(({ id }) => id).sort());
  });
});

describe('a demo that begins empty', () => {
  it('has a workspace, and no conversation', async () => {
    const DATA_DIR = await makeFolder();
    const env = { DATA_DIR, PORT: '0', SIMULATOR_PORT: '0' };
    const majlis = startProcess('bin/majlis.js', ['dev', '--empty'], { env });
    const [, key] = await majlis.says(/Demo API key\s+(\S+)$/m);
    const [, url] = await majlis.says(/Majlis is ready at (http:\S+)$/m);
    const response = await fetch(`${url}/v1/conversations`, { headers: { authorization: `Bearer ${key}` } });
    assert.deepEqual(((await response.json()) as { data: object[] }).data, []);
    majlis.child.kill('SIGTERM');
    await majlis.ended();
  });
});

describe('a first start that ends in the middle of its day', () => {
  it('has the present time at the next start', async () => {
    const DATA_DIR = await makeFolder();
    const env = { DATA_DIR, PORT: '0', SIMULATOR_PORT: '0' };
    const first = startProcess('bin/majlis.js', ['dev'], { env });
    // The key is stored before the day begins.
    const key = await eventually(
      () => readFile(path.join(DATA_DIR, 'demo-api-key'), 'utf8').catch(() => undefined),
      (text) => text !== undefined,
    );
    first.child.kill('SIGKILL');
    await first.ended();
    const majlis = startProcess('bin/majlis.js', ['dev'], { env });
    const [, url] = await majlis.says(/Majlis is ready at (http:\S+)$/m);
    const token = await readFile(path.join(DATA_DIR, 'operator-token'), 'utf8');
    const response = await fetch(`${url}/operator/clock`, { headers: { authorization: `Bearer ${token.trim()}` } });
    const { now } = (await response.json()) as { now: string };
    assert.ok(Math.abs(Date.parse(now) - Date.now()) < 60_000, now);
    assert.ok(key);
    majlis.child.kill('SIGTERM');
    await majlis.ended();
  });
});

interface Listed {
  id: string;
  contact_name: string;
  status: string;
  controller: string;
  assignee_id?: string;
  tags: string[];
  last_message_at: string;
  window_expires_at: string;
}
