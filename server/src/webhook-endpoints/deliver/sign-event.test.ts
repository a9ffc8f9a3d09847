import assert from 'node:assert/strict';
import { it } from 'node:test';
import Stripe from 'stripe';
import { signEvent } from './sign-event.ts';

const secret = 'whsec_dGhlIHdob2xlIHN0cmluZw';
const body = '{"id":"evt_1","object":"event","data":{"body":"مرحبا \\u0000 €"}}';
const at = new Date('2026-11-20T10:00:00.900Z');

it('signs the seconds and the bytes with the whole secret', () => {
  // As `printf '%s' "1795168800.$body" | openssl dgst -sha256 -hmac "$secret"` writes it.
  const expected = 'dfa566a0e66449eb08bc7e65377f09d7c3d1f6b0b24b2398f2e743ab1a64b9f8';
  assert.equal(signEvent([secret], body, at), `t=1795168800,v1=${expected}`);
});

it('is accepted by an independent implementation, and not for other bytes, another secret or another time', () => {
  const { webhooks } = new Stripe('sk_test_unused');
  const value = signEvent([secret], body, at);
  const verify = (bytes: string, key: string, later_s = 0) =>
    webhooks.constructEvent(bytes, value, key, 300, undefined, Math.floor(at.getTime() / 1000 + later_s) * 1000);
  assert.equal(verify(body, secret).id, 'evt_1');
  assert.equal(verify(body, secret, 300).id, 'evt_1');
  assert.throws(() => verify(body, secret, 302));
  assert.throws(() => verify(`${body} `, secret));
  assert.throws(() => verify(body, secret.slice('whsec_'.length)));
});

it('has a digest of each secret during a rotation, and either is accepted', () => {
  const { webhooks } = new Stripe('sk_test_unused');
  const secrets = ['whsec_new', 'whsec_old'];
  const value = signEvent(secrets, body, at);
  assert.match(value, /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  for (const key of secrets) {
    assert.equal(webhooks.constructEvent(body, value, key, 300, undefined, at.getTime()).id, 'evt_1');
  }
  assert.throws(() => webhooks.constructEvent(body, value, 'whsec_other', 300, undefined, at.getTime()));
});
