import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { createCursorCodec } from './cursor.ts';

const codec = createCursorCodec(Buffer.alloc(32, 1));
const scope = { workspace_id: 'ws_1', scope: 'GET /v1/contacts?tag=vip' };
const position = ['2026-03-01 10:00:00.123456+00', '0195…'];

describe('a cursor', () => {
  it('gives back the position it was made of', () =>
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' })),
        fc.string(),
        fc.string(),
        (position, workspace_id, scope) => {
          const text = codec.encode({ workspace_id, scope, position });
          assert.match(text, /^[\w-]+$/);
          assert.deepEqual(codec.decode(text, { workspace_id, scope }), position);
        },
      ),
    ));

  it('is refused after any change of one character, and cut short or made longer', () => {
    const text = codec.encode({ ...scope, position });
    for (let index = 0; index < text.length; index++) {
      for (const other of 'A_-z9=+ ') {
        if (other === text[index]) continue;
        const altered = text.slice(0, index) + other + text.slice(index + 1);
        assert.equal(codec.decode(altered, scope), undefined, altered);
      }
      assert.equal(codec.decode(text.slice(0, index), scope), undefined);
    }
    for (const end of ['A', '=', '==', '\n', ' ', 'AAAA']) assert.equal(codec.decode(text + end, scope), undefined);
  });

  it('is refused in another workspace, with another filter, and under another key', () => {
    const text = codec.encode({ ...scope, position });
    assert.equal(codec.decode(text, { ...scope, workspace_id: 'ws_2' }), undefined);
    assert.equal(codec.decode(text, { ...scope, scope: 'GET /v1/contacts?tag=new' }), undefined);
    assert.equal(createCursorCodec(Buffer.alloc(32, 2)).decode(text, scope), undefined);
  });

  it('is not fooled by a border that moves between workspace and scope', () => {
    for (const border of ['', ',', '","']) {
      const text = codec.encode({ workspace_id: `a${border}b`, scope: 'c', position });
      assert.equal(codec.decode(text, { workspace_id: 'a', scope: `b${border}c` }), undefined);
    }
  });

  it('is refused when it is no cursor at all', () =>
    fc.assert(fc.property(fc.string(), (text) => assert.equal(codec.decode(text, scope), undefined))));
});
