import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { cleanUp } from '@majlis/testing/cleanup';
import { type Browser, chromium, type Page } from 'playwright-core';
import { numberId, startTestSimulator } from '../test-simulator.ts';
import { until } from '../until.ts';

/** Needs Chromium: the one named by CHROMIUM, or the system's. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const customer = '96891234567';
const s = startTestSimulator({ delays: { sent_ms: 1, delivered_ms: 2, read_ms: null, review_ms: 1 } });
let browser: Browser;

before(async () => {
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  cleanUp('the browser', () => browser.close());
  s.simulator.inject({ phone_number_id: numberId, from: '96890000001', name: 'Ravi', type: 'text', content: 'Hi' });
  const at = Date.now() + 1_000;
  s.simulator.inject({ phone_number_id: numberId, from: customer, name: 'علي', type: 'text', content: 'أين طلبي', at });
});

async function open(viewport = { width: 1400, height: 900 }): Promise<Page> {
  const page = await browser.newPage({ viewport });
  await page.goto(s.simulator.url);
  await threadOf(page).getByRole('article').first().waitFor();
  return page;
}
const threadOf = (page: Page) => page.getByRole('log', { name: 'Messages' });

test('opens the newest chat', async () => {
  const page = await open();
  await threadOf(page).getByText('أين طلبي').waitFor();
  assert.equal(new URL(page.url()).hash, `#${numberId}/${customer}`);
  await page.close();
});

test('stays at the end while pictures take their room', async () => {
  const file = new FormData();
  const bytes = new Uint8Array(picture(300, 300));
  file.set('messaging_product', 'whatsapp');
  file.set('type', 'image/png');
  file.set('file', new Blob([bytes], { type: 'image/png' }), 'a.png');
  const uploaded = await fetch(`${s.simulator.api_url}/${numberId}/media`, {
    method: 'POST',
    headers: { authorization: 'Bearer platform-token' },
    body: file,
  });
  const { id } = (await uploaded.json()) as { id: string };
  for (let n = 0; n < 4; n++) await s.send(customer, { type: 'image', image: { id } });
  const page = await open();
  const images = threadOf(page).getByRole('img', { name: 'Picture' });
  await until('the pictures are there', async () => {
    const heights = await images.evaluateAll((all: { naturalHeight: number }[]) => all.map((one) => one.naturalHeight));
    return heights.filter((height) => height === 300).length === 4;
  });
  await until('the end is in view', () =>
    threadOf(page).evaluate(({ scrollHeight, scrollTop, clientHeight }) => {
      return scrollHeight > clientHeight && scrollHeight - scrollTop - clientHeight < 2;
    }),
  );
  await page.close();
});

test('shows the dots of ي in the list of chats', async () => {
  await s.send(customer, { type: 'text', text: { body: 'في بيتي' } });
  const page = await open();
  const chat = page.getByRole('button', { name: /علي/ }).first();
  await chat.getByText('في بيتي').waitFor();
  const give = (room: Record<string, string>) =>
    page.locator('.chat-main > span').evaluateAll((all: { style: Record<string, string> }[], styles) => {
      for (const { style } of all) Object.assign(style, styles);
    }, room);
  // The chat itself changes too, and its row is drawn anew: its message is delivered meanwhile.
  const picture = () => chat.screenshot().catch(() => undefined);
  await until('letters look the same with more room', async () => {
    await give({ paddingBottom: '', marginBottom: '' });
    const shown = await picture();
    await give({ paddingBottom: '12px', marginBottom: '-12px' });
    const roomy = await picture();
    return shown !== undefined && roomy !== undefined && shown.equals(roomy);
  });
  await page.close();
});

test('shows one sign of a list where the business gave no label', async () => {
  const action = { button: '☰', sections: [{ rows: [{ id: 'a', title: 'Olaya' }] }] };
  await s.send(customer, { type: 'interactive', interactive: { type: 'list', body: { text: 'Which?' }, action } });
  const page = await open();
  const button = threadOf(page).getByRole('button', { name: 'Choose' });
  await button.waitFor();
  assert.deepEqual([await button.locator('svg').count(), await threadOf(page).getByText('☰').count()], [1, 0]);
  await page.close();
});

test('offers the link, the flow and the location that the business asks for', async () => {
  const interactive = (type: string, action: object) => ({
    type: 'interactive',
    interactive: { type, body: { text: 'Please' }, action },
  });
  const parameters = { display_text: 'Track', url: 'https://example.com/t' };
  await s.send(customer, interactive('cta_url', { name: 'cta_url', parameters }));
  await s.send(customer, interactive('location_request_message', { name: 'send_location' }));
  const flow = { flow_message_version: '3', flow_cta: 'Book', flow_id: '8' };
  await s.send(customer, interactive('flow', { name: 'flow', parameters: flow }));
  const page = await open();
  const thread = threadOf(page);
  assert.equal(await thread.getByRole('link', { name: 'Track' }).getAttribute('href'), parameters.url);
  await thread.getByRole('button', { name: 'Book' }).click();
  await thread.getByText('Sent', { exact: true }).waitFor();
  await thread.getByRole('button', { name: 'Send location' }).click();
  await thread.getByText('23.58800, 58.38290').waitFor();
  await page.close();
});

test('on a screen of phone size, the first screen has the composer', async () => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 360, height: 640 },
  ]) {
    const page = await open(viewport);
    const box = (await page.getByRole('textbox', { name: 'Message' }).boundingBox())!;
    assert.ok(box.y > 0 && box.y + box.height <= viewport.height, JSON.stringify(box));
    const width = await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth);
    assert.equal(width, viewport.width);
    await page.getByRole('textbox', { name: 'Message' }).fill('On the way');
    await page.keyboard.press('Enter');
    await threadOf(page).getByText('On the way').last().waitFor();
    await page.close();
  }
});

/** A black PNG. */
function picture(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  // Each line begins with its filter, 0.
  const pixels = deflateSync(Buffer.alloc((width + 1) * height));
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}
