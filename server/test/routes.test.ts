import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';
import { recordRoutes, writeRoutes } from '@majlis/testing/describe-routes';

const recorded = recordRoutes();
const { startTestService } = await import('@majlis/testing/start-test-service');
const majlis = await startTestService({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
const routes = recorded.of('/healthz');
recorded.stop();

const file = new URL('../../docs/routes.md', import.meta.url);

it('every route is in docs/routes.md with its audience', () => {
  const unknown = routes.filter(({ audience }) => audience === 'UNKNOWN' || audience === 'nobody');
  assert.deepEqual(unknown, [], 'testing/src/describe-routes.ts says who may use a route without an operation');
  const page = writeRoutes(routes);
  if (process.env.WRITE_ROUTES) writeFileSync(file, page);
  assert.equal(page, readFileSync(file, 'utf8'), 'WRITE_ROUTES=1 npm test -- server/test/routes.test.ts');
});

it('a route that is not for anyone refuses whoever brings no credential', async () => {
  let n = 0;
  for (const { method, url, audience } of routes) {
    if (audience.startsWith('anyone')) continue;
    const path = url.replaceAll(/:\w+|\*/g, 'x');
    const { status } = await fetch(`${majlis.url}${path}`, {
      method,
      // Attempts are limited for each address.
      headers: { 'x-forwarded-for': `10.0.${n >> 8}.${n++ & 255}`, 'content-type': 'application/json' },
      ...(['GET', 'HEAD'].includes(method) ? {} : { body: '{}' }),
    });
    assert.equal(status, 401, `${method} ${url}`);
  }
  assert.ok(n > 300, `${n} routes`);
});
