import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rawRequest } from '@majlis/testing/raw-request';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService();
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${majlis.url}${path}`, { headers });

const pages = [
  '/',
  '/join',
  '/reset',
  '/enter',
  '/confirmed',
  '/forgot',
  '/profile',
  '/security',
  '/guide',
  '/parts',
  '/w/ws_1/inbox',
];

describe('the pages of the console', () => {
  it('are served at / and run no inline script, no foreign content and in no frame', async () => {
    for (const path of pages) {
      const response = await get(path);
      const { status, headers } = response;
      assert.equal(status, 200, path);
      const text = await response.text();
      const policy = new Map(
        headers
          .get('content-security-policy')!
          .split('; ')
          .map((part) => [part.split(' ')[0]!, part.split(' ').slice(1).join(' ')]),
      );
      assert.equal(policy.get('default-src'), "'self'", path);
      for (const name of ['object-src', 'base-uri', 'frame-ancestors', 'trusted-types']) {
        assert.equal(policy.get(name), "'none'", `${name} of ${path}`);
      }
      assert.equal(policy.get('require-trusted-types-for'), "'script'");
      assert.equal(policy.get('form-action'), "'self'");
      // Nothing but styles has a nonce, and no part names another origin.
      for (const name of ['script-src', 'script-src-elem', 'connect-src', 'frame-src'])
        assert.ok(!policy.has(name), name);
      assert.match(policy.get('style-src')!, /^'self' 'nonce-[\w+/=]{24}'$/);
      assert.ok(![...policy.values()].some((value) => /unsafe|https?:|\*/.test(value)), path);
      assert.ok(
        !/<script(?![^>]* src="\/assets\/)|\son\w+=|javascript:|<(link|img|script)[^>]*"(https?:)?\/\//i.test(text),
        text,
      );
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('x-frame-options'), 'DENY');
      assert.equal(headers.get('cache-control'), 'no-store');
    }
  });

  it('and their files answer any path and range without a fault', async () => {
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(await (await get('/')).text())!;
    const before = majlis.log.filter((line) => line.includes('"level":"error"')).length;
    for (const path of ['', '%2e%2e/x', '..%2f..%2fpackage.json', '%00', '.', '/', '%ff', 'x', 'a%2fb', '?', '%']) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const { status } = await rawRequest(majlis.url, `${method} /assets/${path}`, []);
        assert.ok([400, 401, 404, 422].includes(status), `${method} /assets/${path}: ${status}`);
      }
    }
    const ranges = ['0-10', '-1', '5-1', '99999999-', '0-0,2-3', '', 'a-b', '-0', '0-,'.repeat(500), '0-9'.repeat(50)];
    for (const range of ranges) {
      const { status } = await get(script!, { range: `bytes=${range}` });
      assert.equal(status, 200, `bytes=${range.slice(0, 40)}`);
    }
    assert.equal(majlis.log.filter((line) => line.includes('"level":"error"')).length, before);
  });

  it('lead to no other site, however a path is written', async () => {
    const hosts = ['//evil.example', '/\\evil.example', '/%5cevil.example', '/%2f%2fevil.example', '/%09/evil.example'];
    const before = ['', '/w', '/assets', '/docs', '/join', '/console/v1', '/w/..', '/assets/..', '/.'];
    for (const path of before.flatMap((start) => hosts.flatMap((host) => [`${start}${host}`, `${start}${host}/..`]))) {
      const { status, headers } = await rawRequest(majlis.url, `GET ${path}`, ['Sec-Fetch-Site: none']);
      const { origin } = new URL(headers.location ?? '/', majlis.url);
      assert.equal(origin, majlis.url, `${path} answers ${status} ${headers.location}`);
    }
  });

  it('have another nonce each time', async () => {
    const nonceOf = async () => /nonce="([^"%]+)"/.exec(await (await get('/')).text())![1];
    assert.notEqual(await nonceOf(), await nonceOf());
  });

  it('load compressed assets that browsers keep', async () => {
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(await (await get('/w/ws_1/inbox')).text())!;
    const { status, headers } = await get(script!, { 'accept-encoding': 'br' });
    assert.deepEqual([status, headers.get('content-encoding')], [200, 'br']);
    assert.match(headers.get('cache-control')!, /max-age=31536000, immutable/);
  });

  it('leave every other path to the APIs', async () => {
    for (const path of ['/v2', '/nothing', '/console/v1/nothing', '/assets/nothing.js']) {
      const { status, headers } = await get(path, { 'sec-fetch-site': 'same-origin' });
      assert.equal(status, 404, path);
      assert.match(headers.get('content-type')!, /^application\/json/, path);
    }
  });
});
