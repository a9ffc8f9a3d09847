import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService();
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${majlis.url}${path}`, { headers });

describe('the pages of the console', () => {
  it('are served at / and run no inline script, no foreign content and in no frame', async () => {
    const { status, headers } = await get('/');
    assert.equal(status, 200);
    const policy = headers.get('content-security-policy')!;
    for (const part of ["default-src 'self'", "frame-ancestors 'none'", "trusted-types 'none'", "object-src 'none'"]) {
      assert.ok(policy.includes(part), `${part} in ${policy}`);
    }
    assert.ok(!policy.includes('unsafe'));
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.equal(headers.get('cache-control'), 'no-store');
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
