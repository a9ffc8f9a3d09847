import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { type EventType, events } from './events.ts';

test('the events are the three that the contract names', () => {
  assert.deepEqual(Object.keys(events), ['message.received', 'message.status_updated', 'template.status_updated']);
});

for (const type of Object.keys(events) as EventType[]) {
  test(`${type}: the example validates against the schema of its data`, () => {
    assert.deepEqual(Compile(events[type].data).Errors(events[type].example), []);
  });
}

test('the message of an event may have no body', () => {
  const data = { message: { id: 'msg_1', direction: 'inbound', kind: 'image' }, conversation: { id: 'cv_1' } };
  assert.ok(Compile(events['message.received'].data).Check(data));
});
