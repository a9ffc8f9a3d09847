import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findGuardFaults } from './find-guard-faults.ts';

/** The text with each fault of the kind. */
function plantEach(text: string, kind: string): string[] {
  return findGuardFaults(text)
    .filter((fault) => fault.kind === kind)
    .map(({ start, end, replace }) => text.slice(0, start) + replace + text.slice(end));
}

it('an await is dropped where its result is a statement or a condition', () => {
  assert.deepEqual(plantEach('await hold(tx); const row = await read();', 'dropped await'), [
    'hold(tx); const row = await read();',
  ]);
  assert.deepEqual(plantEach('if (!(await isOwn(id))) throw no;', 'dropped await'), ['if (!(isOwn(id))) throw no;']);
});

it('a condition is lost as a whole, in each part, and with the call of a guard', () => {
  assert.deepEqual(plantEach('if (!link || link.old) throw no;', 'lost condition'), [
    'if (false) throw no;',
    'if ((!link)) throw no;',
    'if ((link.old)) throw no;',
  ]);
  assert.deepEqual(plantEach('const isOwn = (a: A) => a.id === b && a.kind;', 'lost condition'), [
    'const isOwn = (a: A) => (a.id === b);',
    'const isOwn = (a: A) => (a.kind);',
  ]);
  assert.deepEqual(plantEach('await refuseBeyond(role); present(role);', 'lost condition'), ['; present(role);']);
  assert.deepEqual(plantEach('if (isNew) { count(); }', 'lost condition'), []);
});

it('a comparison is turned at its edge, or to its opposite', () => {
  assert.deepEqual(plantEach('if (a! < b && c === "<") d();', 'turned comparison'), [
    'if (a! <= b && c === "<") d();',
    'if (a! < b && c !== "<") d();',
  ]);
});
