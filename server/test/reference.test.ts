import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Json } from '@majlis/testing/json';
import { startMajlis } from '@majlis/testing/start-majlis';

const published = JSON.parse(await readFile(new URL('../../contract/openapi.json', import.meta.url), 'utf8'));

describe('the document at /openapi.json', () => {
  it('is the published one, with the address that the outside world uses', async () => {
    const { url } = await startMajlis({ env: { PUBLIC_URL: 'https://chat.acme.example/' } });
    const { servers, ...served } = (await (await fetch(`${url}/openapi.json`)).json()) as Json;
    const { servers: _, ...rest } = published;
    assert.deepEqual(served, rest);
    assert.deepEqual(servers, [{ url: 'https://chat.acme.example', description: 'Your installation.' }]);
  });
});
