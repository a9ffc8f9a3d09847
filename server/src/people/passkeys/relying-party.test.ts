import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findRelyingParty } from './relying-party.ts';

it('passkeys need https and a name of the host, or this machine', () => {
  for (const [url, id] of [
    ['https://majlis.example/', 'majlis.example'],
    ['https://majlis.lan:8443/', 'majlis.lan'],
    ['http://majlis.lan:8080/', undefined],
    ['https://10.0.0.7/', undefined],
    ['https://[fd00::7]/', undefined],
    ['http://localhost:8080/', 'localhost'],
    ['http://majlis.localhost:8080/', 'majlis.localhost'],
    ['http://notlocalhost/', undefined],
  ] as const) {
    assert.equal(findRelyingParty(url)?.id, id, url);
  }
});
