import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { startTestService } from '@majlis/testing/start-test-service';

const published = JSON.parse(await readFile(new URL('../../contract/openapi.json', import.meta.url), 'utf8'));

const majlis = await startTestService({ env: { PUBLIC_URL: 'https://chat.acme.example/' } });

describe('the document at /openapi.json', () => {
  it('is the published one, with the address that the outside world uses', async () => {
    const { servers, ...served } = (await (await fetch(`${majlis.url}/openapi.json`)).json()) as AnyJson;
    const { servers: _, ...rest } = published;
    assert.deepEqual(served, rest);
    assert.deepEqual(servers, [{ url: 'https://chat.acme.example', description: 'Your installation.' }]);
  });
});

describe('the page at /docs', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${majlis.url}${path}`, { headers, redirect: 'manual' });

  it('is small on the way, and is kept by browsers', async () => {
    assert.equal((await get('/docs')).headers.get('location'), '/docs/');
    const page = await get('/docs/');
    const [source] = /js\/scalar\.js\?v=[\w-]+/.exec(await page.text())!;
    const script = await get(`/docs/${source}`, { 'accept-encoding': 'gzip' });
    assert.equal(script.headers.get('content-encoding'), 'gzip');
    assert.ok(Number(script.headers.get('content-length')) < 1_500_000);
    assert.match(script.headers.get('cache-control')!, /immutable/);
    assert.match(await script.text(), /Scalar/);
    const plain = await get(`/docs/${source}`, { 'accept-encoding': 'gzip;q=0' });
    assert.equal(plain.headers.get('content-encoding'), null);
  });

  it('stands in no frame of another site, and nothing of it counts as another type', async () => {
    for (const path of ['/docs', '/docs/', '/docs/js/scalar.js', '/docs/openapi.json', '/openapi.json']) {
      const { headers } = await get(path);
      const told = ['x-frame-options', 'x-content-type-options', 'referrer-policy'].map((name) => headers.get(name));
      assert.deepEqual(told, ['DENY', 'nosniff', 'no-referrer'], path);
    }
  });

  it('is not sent again to whoever has it', async () => {
    for (const path of ['/docs/', '/docs/js/scalar.js', '/openapi.json']) {
      const etag = (await get(path)).headers.get('etag')!;
      const again = await get(path, { 'if-none-match': etag });
      assert.deepEqual([again.status, await again.text()], [304, ''], path);
      assert.equal((await get(path, { 'if-none-match': 'W/"another"' })).status, 200, path);
    }
  });
});
