import assert from 'node:assert/strict';
import { beforeEach, it, mock } from 'node:test';
import { type SpaceCalls, spaceCalls } from './space-calls.ts';

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000 });
});

const clocked = (rate: number) => spaceCalls(rate, () => Date.now());

/** The moments at which the calls of this owner begin, in the order of their turns; `begun` is told of each too. */
function take(calls: SpaceCalls, url: string, owner_id: string, count: number, begun: string[] = []): number[] {
  const moments: number[] = [];
  for (let n = 0; n < count; n++) {
    void calls.takeTurn(url, { caller_id: `${owner_id} ${n}`, owner_id }).then(() => {
      moments.push(Date.now());
      begun.push(owner_id);
    });
  }
  return moments;
}

/** Lets time pass in steps, so that what a turn resolves runs at its moment. */
async function pass(ms: number, step = 1): Promise<void> {
  for (let at = 0; at < ms; at += step) {
    await Promise.resolve();
    mock.timers.tick(step);
    await Promise.resolve();
  }
}

it('lets a tenth of a second’s worth go at once, and spaces the rest', async () => {
  const moments = take(clocked(50), 'https://victim.example/', 'one', 9);
  await pass(200);
  assert.deepEqual(moments, [1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_020, 1_040, 1_060]);
});

it('tells hosts apart by name or address, and not by port, spelling, path or endpoint', () => {
  for (const [one, same] of [
    ['https://a.example/x', 'https://A.example:8443/y'],
    ['https://[2001:db8::1]/', 'https://[2001:DB8:0::0:1]:8443/'],
    ['https://192.0.2.1/', 'https://0xc0.0.2.1:8443/'],
  ] as const) {
    const calls = clocked(1);
    take(calls, one, 'one', 1);
    assert.ok(calls.waitFor(same, 'two') > 0, same);
    assert.equal(calls.waitFor('https://b.example/', 'two'), 0);
  }
});

it('says how long the next turn is away, and takes none by that', async () => {
  const calls = clocked(1);
  const waitFor = () => calls.waitFor('https://a.example/', 'one');
  take(calls, 'https://a.example/', 'one', 1);
  assert.deepEqual([waitFor(), waitFor()], [900, 900]);
  take(calls, 'https://a.example/', 'one', 1);
  assert.equal(waitFor(), 1_900);
  await pass(60_000, 100);
  assert.equal(waitFor(), 0);
});

it('never lets more through in a second than the rate and the burst', async () => {
  const calls = clocked(100);
  const moments: number[] = [];
  for (let n = 0; n < 1_000; n++) {
    void calls
      .takeTurn('https://a.example/', { caller_id: 'one', owner_id: `${n % 3}` })
      .then(() => moments.push(Date.now()));
    await pass(n % 7);
  }
  await pass(10_000, 10);
  assert.equal(moments.length, 1_000);
  for (const [n, at] of moments.entries())
    assert.ok(moments.slice(n).filter((other) => other < at + 1_000).length <= 111);
});

it('gives owners their turns in rotation, however many calls one of them has', async () => {
  const calls = clocked(10);
  const url = 'https://hooks.example/';
  const begun: string[] = [];
  take(calls, url, 'many', 1_000, begun);
  assert.deepEqual(new Set([...calls.hurried()].map((id) => id.split(' ')[0])), new Set(['many']));
  assert.equal(calls.waitFor(url, 'few'), 200);
  take(calls, url, 'few', 2, begun);
  await pass(500);
  assert.deepEqual(begun, ['many', 'many', 'many', 'few', 'many', 'few', 'many']);
});

it('is in no hurry once the turns are over', async () => {
  const calls = clocked(10);
  take(calls, 'https://a.example/', 'one', 5);
  assert.ok([...calls.hurried()].length > 0);
  await pass(500);
  assert.deepEqual([...calls.hurried()], []);
});
