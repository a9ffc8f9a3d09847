import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { type Browser, chromium, type Page } from 'playwright-core';
import { numberId, startTestSimulator } from '../test-simulator.ts';

/** Needs Chromium: the one named by CHROMIUM, or the system's. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const s = startTestSimulator();
let browser: Browser;
let page: Page;
let evil: Server;

before(async () => {
  evil = createServer((_request, answer) => answer.setHeader('content-type', 'text/html').end('<title>evil</title>'));
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  cleanUp('the other site', () => {
    evil.closeAllConnections();
    evil.close();
  });
  // What an attacker's name server would say.
  const args = ['--no-sandbox', '--host-resolver-rules=MAP *.example 127.0.0.1'];
  browser = await chromium.launch({ executablePath, args });
  cleanUp('the browser', () => browser.close());
  page = await browser.newPage();
});

const portOf = (url: string) => new URL(url).port;
const openSite = () => page.goto(`http://evil.example:${(evil.address() as AddressInfo).port}/`);

test('a page of another site resets nothing by a form', async () => {
  s.write('15550001001');
  await openSite();
  for (const action of ['reset', 'reset?access_token=guess']) {
    await page.evaluate(
      (url) => fetch(url, { method: 'POST', mode: 'no-cors' }),
      `${s.simulator.url}/control/${action}`,
    );
  }
  const { body } = await s.control('GET', 'conversations');
  assert.equal((body as unknown as unknown[]).length, 1);
});

test('a page of another site reads nothing', async () => {
  await openSite();
  const read = (url: string) =>
    page.evaluate(
      (address) =>
        fetch(address).then(
          (answer) => answer.text(),
          () => 'refused',
        ),
      url,
    );
  for (const path of ['/', '/control/numbers']) assert.equal(await read(s.simulator.url + path), 'refused', path);
});

test('a name that the attacker points at this machine opens neither page nor control', async () => {
  const rebound = `http://rebound.example:${portOf(s.simulator.url)}`;
  const answer = await page.goto(`${rebound}/`);
  assert.equal(answer!.status(), 403);
  const { status, text } = await page.evaluate(async () => {
    const reply = await fetch('/control/numbers');
    return { status: reply.status, text: await reply.text() };
  });
  assert.equal(status, 403);
  assert.doesNotMatch(text, new RegExp(numberId));
});

test('the page of this machine works by either name of it', async () => {
  for (const name of ['127.0.0.1', 'localhost']) {
    await page.goto(`http://${name}:${portOf(s.simulator.url)}/`);
    await page.getByText('live', { exact: true }).waitFor();
  }
});
