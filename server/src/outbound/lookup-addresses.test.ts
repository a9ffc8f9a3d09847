import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startNameServer } from '@majlis/testing/start-name-server';
import { createLookup } from './lookup-addresses.ts';

test('asks for both families, and once for all who ask at the same time', async () => {
  const { servers, questions } = await startNameServer(() => ['1.1.1.1', '2606:4700::1']);
  const lookup = createLookup({ servers });
  const answers = await Promise.all(Array.from({ length: 10 }, () => lookup('receiver.example')));
  for (const answer of answers)
    assert.deepEqual(answer, [
      { address: '1.1.1.1', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
  assert.deepEqual(questions.map(({ type }) => type).sort(), ['A', 'AAAA']);
});

test('remembers no answer, however long it is said to hold', async () => {
  let address = '1.1.1.1';
  const { servers } = await startNameServer(() => [address]);
  const lookup = createLookup({ servers });
  assert.deepEqual(await lookup('receiver.example'), [{ address: '1.1.1.1', family: 4 }]);
  address = '1.0.0.1';
  assert.deepEqual(await lookup('receiver.example'), [{ address: '1.0.0.1', family: 4 }]);
});

test('takes the answer for one family where there is none for the other', async () => {
  const { servers } = await startNameServer(({ type }) => (type === 'A' ? ['1.1.1.1'] : 'failure'));
  assert.deepEqual(await createLookup({ servers })('receiver.example'), [{ address: '1.1.1.1', family: 4 }]);
});

test('is held up by no name whose server is silent', async () => {
  const { servers } = await startNameServer(({ name }) => (name.startsWith('dead') ? 'silence' : ['1.1.1.1']));
  const lookup = createLookup({ servers, first_wait_ms: 300 });
  let waiting = 100;
  const dead = Array.from({ length: waiting }, async (_, index) => {
    await assert.rejects(lookup(`dead${index}.example`), { code: 'ETIMEOUT' });
    waiting -= 1;
  });
  assert.deepEqual(await lookup('receiver.example'), [{ address: '1.1.1.1', family: 4 }]);
  assert.equal(waiting, 100);
  await Promise.all(dead);
});

test('knows this machine without asking', async () => {
  const { servers, questions } = await startNameServer(() => ['1.1.1.1']);
  const lookup = createLookup({ servers });
  const expected = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  for (const name of ['localhost', 'receiver.localhost']) assert.deepEqual(await lookup(name), expected);
  assert.equal(questions.length, 0);
});

test('rejects what no server and no file knows', async () => {
  await assert.rejects(createLookup()('nobody.invalid'), ({ code }: NodeJS.ErrnoException) => typeof code === 'string');
});
