import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { startTestService } from '@majlis/testing/start-test-service';

const published = JSON.parse(await readFile(new URL('../../contract/openapi.json', import.meta.url), 'utf8'));

describe('the document at /openapi.json', () => {
  it('is the published one, with the address that the outside world uses', async () => {
    const { url } = await startTestService({ env: { PUBLIC_URL: 'https://chat.acme.example/' } });
    const { servers, ...served } = (await (await fetch(`${url}/openapi.json`)).json()) as AnyJson;
    const { servers: _, ...rest } = published;
    assert.deepEqual(served, rest);
    assert.deepEqual(servers, [{ url: 'https://chat.acme.example', description: 'Your installation.' }]);
  });
});
