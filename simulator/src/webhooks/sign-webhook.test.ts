import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signWebhook, toEscapedJson } from './sign-webhook.ts';

const secret = 'demo-app-secret';

test('signs the documented bytes', () => {
  assert.equal(
    signWebhook('{"object":"whatsapp_business_account","entry":[]}', secret),
    'sha256=d6003bedf605fdf46943662e7d2065e132f4b26764d6ec946ba3fae527acafc2',
  );
});

test('escapes accents, surrogate pairs and slashes, and signs the escaped bytes', () => {
  const body = toEscapedJson({ text: { body: 'café 😀 a/b' } });
  assert.equal(body, String.raw`{"text":{"body":"caf\u00e9 \ud83d\ude00 a\/b"}}`);
  assert.equal(Buffer.byteLength(body), 47);
  assert.equal(signWebhook(body, secret), 'sha256=0ac89fdc32496df9ef781219224f7ee5a94f6a7e771509b2b5f4e4fb388fbe30');
});

test('gives raw UTF-8 another signature', () => {
  const raw = '{"text":{"body":"café 😀 a/b"}}';
  assert.equal(signWebhook(raw, secret), 'sha256=1a9f143831c333a6e9ce8e33b7010170e1b97dba8ae983f9419c1569c1019af6');
});

test('keeps any string readable by a JSON parser', () => {
  for (const text of ['\u007f\u0080', '\ud800', '</script>', '\\/', 'مرحبا']) {
    assert.deepEqual(JSON.parse(toEscapedJson({ text })), { text });
  }
});
