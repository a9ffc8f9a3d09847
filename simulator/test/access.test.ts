import assert from 'node:assert/strict';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { startSimulator } from '../src/index.ts';
import { bearerOf, numberId, startTestSimulator, token } from './test-simulator.ts';

const s = startTestSimulator();

/** Sends headers that `fetch` would set by itself. */
function ask(url: string, method: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode!, text }));
    })
      .on('error', reject)
      .end();
  });
}

test('takes no control without the token, and says why', async () => {
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Bearer ${token}` }]) {
    const { status, text } = await ask(`${s.simulator.url}/control/settings`, 'GET', headers);
    assert.equal(status, 401);
    assert.match(JSON.parse(text).error, /control token/);
  }
  assert.equal((await ask(`${s.simulator.url}/control/settings`, 'GET', bearerOf(s.simulator))).status, 200);
});

test('takes the token from the address of a GET alone', async () => {
  const query = `?access_token=${s.simulator.control_token}`;
  assert.equal((await ask(`${s.simulator.url}/control/settings${query}`, 'GET', {})).status, 200);
  assert.equal((await ask(`${s.simulator.url}/control/reset${query}`, 'POST', {})).status, 401);
});

test('answers neither page nor control under another name, which a page of another site may point here', async () => {
  const port = new URL(s.simulator.url).port;
  const statusOf = async (path: string, host: string) =>
    (await ask(`${s.simulator.url}${path}`, 'GET', { host, ...bearerOf(s.simulator) })).status;
  for (const path of ['/', '/app.js', '/control/settings']) {
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'a b',
    ]) {
      assert.equal(await statusOf(path, host), 403, `${host} ${path}`);
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `shop.localhost:${port}`, '[::1]', '192.168.1.9']) {
      assert.equal(await statusOf(path, host), 200, `${host} ${path}`);
    }
  }
});

test('takes no control from a page of another site, even with the token', async () => {
  const { url } = s.simulator;
  const statusOf = async (origin: string) =>
    (await ask(`${url}/control/settings`, 'GET', { origin, ...bearerOf(s.simulator) })).status;
  for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:1', 'https://127.0.0.1']) {
    assert.equal(await statusOf(origin), 403, origin);
  }
  assert.equal(await statusOf(url), 200);
});

test('leaves the platform’s own protocol to its access token', async () => {
  const headers = { authorization: `Bearer ${token}`, host: 'graph.example', origin: 'http://evil.example' };
  assert.equal((await ask(`${s.simulator.api_url}/${numberId}`, 'GET', headers)).status, 200);
});

test('gives the token with the page to a browser of this machine, and to no other', async (context) => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
  const simulator = await startSimulator({ port: 0, host: '0.0.0.0' });
  try {
    const carries = async (base: string, headers = {}) =>
      (await ask(`${base}/`, 'GET', headers)).text.includes(simulator.control_token);
    assert.equal(await carries(simulator.url), true);
    assert.equal(await carries(simulator.url, { 'x-forwarded-for': '203.0.113.7' }), false);
    if (outside === undefined) return context.diagnostic('this machine has no address but loopback');
    assert.equal(await carries(simulator.url.replace('127.0.0.1', outside)), false);
  } finally {
    await simulator.close();
  }
});

test('listens on this machine alone unless it is told', async () => {
  assert.equal(new URL(s.simulator.url).hostname, '127.0.0.1');
});
