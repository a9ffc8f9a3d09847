import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { verifySignature } from './verify-signature.ts';

// The test vectors of section 6.2.
const secret = 'demo-app-secret';
const vectors: [string, string][] = [
  [
    '{"object":"whatsapp_business_account","entry":[]}',
    'd6003bedf605fdf46943662e7d2065e132f4b26764d6ec946ba3fae527acafc2',
  ],
  [
    String.raw`{"text":{"body":"caf\u00e9 \ud83d\ude00 a\/b"}}`,
    '0ac89fdc32496df9ef781219224f7ee5a94f6a7e771509b2b5f4e4fb388fbe30',
  ],
  ['{"text":{"body":"café 😀 a/b"}}', '1a9f143831c333a6e9ce8e33b7010170e1b97dba8ae983f9419c1569c1019af6'],
];

for (const [body, hex] of vectors) {
  test(`accepts the signature of ${body}`, () => {
    assert.equal(verifySignature(Buffer.from(body), `sha256=${hex}`, secret), true);
  });
}

test('refuses the signature of the same JSON in other bytes', () => {
  assert.equal(verifySignature(Buffer.from(vectors[2]![0]), `sha256=${vectors[1]![1]}`, secret), false);
});

test('refuses a missing, short, long or foreign signature without throwing', () => {
  const [body, hex] = vectors[0]!;
  for (const header of [undefined, '', 'sha256=', `sha256=${hex.slice(2)}`, `sha256=${hex}00`, `sha1=${hex}`, hex])
    assert.equal(verifySignature(Buffer.from(body), header, secret), false);
});

test('refuses everything under an empty secret', () => {
  const signature = createHmac('sha256', '').update('body').digest('hex');
  assert.equal(verifySignature(Buffer.from('body'), `sha256=${signature}`, ''), false);
});
