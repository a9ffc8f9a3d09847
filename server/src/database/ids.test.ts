import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { parseId, publicId } from './ids.ts';

test('spells a UUID as the TypeID specification does', () => {
  // The vectors of the TypeID specification, version 0.3.
  assert.equal(publicId('workspace', '00000000-0000-0000-0000-000000000000'), 'ws_00000000000000000000000000');
  assert.equal(publicId('workspace', '00000000-0000-0000-0000-000000000020'), 'ws_00000000000000000000000010');
  assert.equal(publicId('workspace', 'ffffffff-ffff-ffff-ffff-ffffffffffff'), 'ws_7zzzzzzzzzzzzzzzzzzzzzzzzz');
  assert.equal(publicId('broadcast', '01890a5d-ac96-774b-bcce-b302099a8057'), 'bc_01h455vb4pex5vsknk084sn02q');
});

test('reads back every id that it spells', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      assert.equal(parseId('channel', publicId('channel', uuid)), uuid);
    }),
  );
});

test('takes any other text for no id', () => {
  const good = publicId('message', '01890a5d-ac96-774b-bcce-b302099a8057');
  const others = [
    '',
    'msg_',
    good.slice(0, -1),
    `${good}0`,
    good.toUpperCase(),
    good.replace('msg', 'cv'),
    'msg_8zzzzzzzzzzzzzzzzzzzzzzzzz',
    `${good.slice(0, -1)}u`,
  ];
  for (const text of others) assert.equal(parseId('message', text), undefined, text);
});
