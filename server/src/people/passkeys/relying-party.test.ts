import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findRelyingParty } from './relying-party.ts';

it('browsers have passkeys on https at a name, and on the machine itself', () => {
  for (const [url, id] of [
    ['https://desk.example', 'desk.example'],
    ['https://desk.example:8443', 'desk.example'],
    ['http://desk.example', undefined],
    ['http://localhost:3000', 'localhost'],
    ['http://desk.localhost', 'desk.localhost'],
    ['http://notlocalhost', undefined],
    ['https://192.0.2.1', undefined],
    ['https://[2001:db8::1]', undefined],
  ] as const) {
    const { origin } = new URL(url);
    assert.deepEqual(findRelyingParty(url), id && { id, origin }, url);
  }
});
