import assert from 'node:assert/strict';
import { it } from 'node:test';
import { spaceCalls } from './space-calls.ts';

function clocked(rate: number) {
  const clock = { now: 1_000 };
  return { clock, calls: spaceCalls(rate, () => clock.now) };
}

it('lets a tenth of a second’s worth go at once, and spaces the rest', () => {
  const { calls } = clocked(50);
  const waits = Array.from({ length: 9 }, (_, n) => calls.take(`https://victim.example/${n}`, `endpoint-${n}`));
  assert.deepEqual(waits, [0, 0, 0, 0, 0, 0, 20, 40, 60]);
});

it('tells hosts apart by name or address, and not by port, spelling, path or endpoint', () => {
  const { calls } = clocked(1);
  assert.deepEqual([...calls.hurried()], []);
  calls.take('https://a.example/x', 'one');
  calls.take('https://A.example/y', 'two');
  assert.equal(calls.take('https://b.example/', 'three'), 0);
  assert.ok(calls.take('https://a.example:8443/z', 'four') > 1_000);
  assert.deepEqual([...calls.hurried()].sort(), ['four', 'one', 'three', 'two']);
  for (const [one, same] of [
    ['https://[2001:db8::1]/', 'https://[2001:DB8:0::0:1]:8443/'],
    ['https://192.0.2.1/', 'https://0xc0.0.2.1:8443/'],
  ] as const) {
    assert.equal(calls.take(one, 'one'), 0);
    assert.ok(calls.take(same, 'two') > 0, same);
  }
});

it('says how long the next turn is away, and takes none by that', () => {
  const { clock, calls } = clocked(1);
  const waitFor = () => calls.waitFor('https://a.example/');
  calls.take('https://a.example/', 'one');
  assert.deepEqual([waitFor(), waitFor(), calls.take('https://a.example/', 'one'), waitFor()], [900, 900, 900, 1_900]);
  clock.now += 60_000;
  assert.equal(waitFor(), 0);
});

it('never lets more through in a second than the rate and the burst', () => {
  const { clock, calls } = clocked(100);
  const times: number[] = [];
  for (let n = 0; n < 1_000; n++) {
    times.push(clock.now + calls.take('https://a.example/', 'one'));
    clock.now += n % 7;
  }
  for (const [n, at] of times.entries()) assert.ok(times.slice(n).filter((other) => other < at + 1_000).length <= 111);
});

it('is in no hurry once the turns are over', () => {
  const { clock, calls } = clocked(10);
  for (let n = 0; n < 5; n++) calls.take('https://a.example/', 'one');
  assert.deepEqual([...calls.hurried()], ['one']);
  clock.now += 500;
  assert.deepEqual([...calls.hurried()], []);
});
