import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dict } from '../src/world/message.ts';
import { numberId, startTestSimulator, templateMessage, wamidOf } from './test-simulator.ts';
import { until } from './until.ts';

const s = startTestSimulator();
const first = '+15550010000';
const at = (n: number) => String(15550010000 + n);
const writtenBy = (wa_id: string): Dict[] => s.receiver.messages().filter((message) => message.from === wa_id);
const gather = (more: object) => s.control('POST', 'crowds', { phone_number_id: numberId, first, size: 20, ...more });

test('each of a crowd answers what they have read by the script, and nobody else does', async () => {
  const made = await gather({
    answers: [
      { when: 'order A-7', text: 'Which order?' },
      { when: 'your ORDER', text: 'Thank you!', after_ms: 5 },
      { when: 'quiet', silent: true },
      { react: '👍' },
    ],
  });
  assert.equal(made.status, 201);
  for (const n of [0, 19, 20]) await s.sendTemplate(`+${at(n)}`);
  const other = structuredClone(templateMessage.template);
  other.components[0]!.parameters[1]!.text = 'A-7';
  await s.sendTemplate(`+${at(1)}`, { template: other });
  await until('the template is answered', () => [0, 1, 19].every((n) => writtenBy(at(n)).length === 1));
  assert.deepEqual(writtenBy(at(0))[0]!.text, { body: 'Thank you!' });
  assert.deepEqual(writtenBy(at(1))[0]!.text, { body: 'Which order?' });
  await s.send(`+${at(0)}`, { type: 'text', text: { body: 'quiet, please' } });
  const sent = await s.send(`+${at(1)}`, { type: 'text', text: { body: 'Any' } });
  await until('the text is reacted to', () => writtenBy(at(1)).length === 2);
  assert.deepEqual(writtenBy(at(1))[1]!.reaction, {
    message_id: wamidOf(sent),
    emoji: '👍',
  });
  await s.settled();
  const [crowd] = (await s.control('GET', 'crowds')).body as unknown as { counts: object }[];
  assert.deepEqual(crowd!.counts, { read: 5, answered: 4 });
  assert.deepEqual([writtenBy(at(0)).length, writtenBy(at(19)).length, writtenBy(at(20)).length], [1, 1, 0]);
});

test('a crowd opens the talk, each of them once, and is silent when it has left', async () => {
  await gather({ first: '+15550020000', size: 30, opening: { text: 'Hello', within_ms: 50 } });
  const opened = () => s.receiver.messages().filter(({ from }) => String(from).startsWith('155500200'));
  await until('all have written', () => opened().length === 30);
  assert.equal(new Set(opened().map(({ from }) => from)).size, 30);
  await gather({ first: '+15550030000', answers: [{ text: 'Here' }] });
  assert.equal((await s.control('DELETE', `crowds/${numberId}`)).status, 204);
  await s.sendTemplate('+15550030000');
  await s.settled();
  assert.deepEqual(writtenBy('15550030000'), []);
});

test('a share of a crowd answers', async () => {
  await gather({ first: '+15550040000', size: 200, opening: { text: 'Hi' }, answers: [{ share: 0.5, text: 'Yes' }] });
  const all = Array.from({ length: 200 }, (_, n) => String(15550040000 + n));
  await until('all have written', () => all.every((wa_id) => writtenBy(wa_id).length > 0));
  for (const wa_id of all) await s.send(`+${wa_id}`, { type: 'text', text: { body: 'Well?' } });
  await s.settled();
  const answered = all.filter((wa_id) => writtenBy(wa_id).length === 2).length;
  assert.ok(answered > 60 && answered < 140, String(answered));
});

test('a crowd that makes no sense is refused: 400', async () => {
  for (const bad of [
    { first: 'nobody' },
    { size: 0 },
    { size: 1.5 },
    { answers: [{}] },
    { answers: [{ text: 'a', tap: 0 }] },
    { answers: [{ text: 'a', share: 2 }] },
    { answers: 'none' },
    { opening: {} },
  ]) {
    assert.equal((await gather(bad)).status, 400, JSON.stringify(bad));
  }
  assert.equal((await gather({ phone_number_id: '1' })).status, 404);
});
