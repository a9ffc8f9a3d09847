import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseId, publicId } from './ids.ts';

test('spells a UUID as the TypeID specification does', () => {
  // The vectors of the TypeID specification, version 0.3.
  assert.equal(publicId('x', '00000000-0000-0000-0000-000000000000'), 'x_00000000000000000000000000');
  assert.equal(publicId('x', '00000000-0000-0000-0000-000000000020'), 'x_00000000000000000000000010');
  assert.equal(publicId('x', 'ffffffff-ffff-ffff-ffff-ffffffffffff'), 'x_7zzzzzzzzzzzzzzzzzzzzzzzzz');
  assert.equal(publicId('prefix', '01890a5d-ac96-774b-bcce-b302099a8057'), 'prefix_01h455vb4pex5vsknk084sn02q');
});

test('reads back every id that it spells', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      assert.equal(parseId('ch_wa', publicId('ch_wa', uuid)), uuid);
    }),
  );
});

test('takes any other text for no id', () => {
  const good = publicId('msg', '01890a5d-ac96-774b-bcce-b302099a8057');
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
  for (const text of others) assert.equal(parseId('msg', text), undefined, text);
});
