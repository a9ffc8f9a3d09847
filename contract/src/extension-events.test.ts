import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { events } from './events.ts';
import { extensionEvents } from './extension-events.ts';

for (const [type, { data, example }] of Object.entries(extensionEvents)) {
  test(`${type}: the example validates against the schema of its data, and the contract has no such type`, () => {
    assert.deepEqual(Compile(data).Errors(example), []);
    assert.ok(!(type in events));
  });
}
