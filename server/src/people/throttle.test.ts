import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inMemory } from '../http/limit-rate/in-memory.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { throttleAttempt, throttleBeginning, throttleCode, throttleKnown } from './throttle.ts';

const quarterMs = 15 * 60_000;
const dayMs = 24 * 60 * 60_000;
let now = 0;
let attempts = 0;

/** Attempts on a limiter of its own, on a stopped clock. Each counts as one of a new address, but for those that are named. */
function start(attempt: (limiter: ReturnType<typeof inMemory>, address: string) => Promise<void>) {
  now = 1_000_000;
  const limiter = inMemory(() => now);
  return async (address = `10.${attempts >> 16}.${(attempts >> 8) & 255}.${attempts++ & 255}`): Promise<boolean> => {
    try {
      await attempt(limiter, address);
      return true;
    } catch (error) {
      assert.ok(error instanceof Refusal && error.code === 'rate_limited', String(error));
      return false;
    }
  };
}

interface Limit {
  name: string;
  attempt: Parameters<typeof start>[0];
  most: number;
  window_ms: number;
  /** The address of the n-th attempt. Absent: one of its own. */
  address?: (n: number) => string;
}

const one = () => '192.0.2.1';
const inNetwork = (n: number) => `2001:db8:1:1::${n.toString(16)}`;
const inSite = (n: number) => `2001:db8:1:${n.toString(16)}::1`;

const limits: Limit[] = [
  { name: 'an address', attempt: throttleAttempt, most: 60, window_ms: quarterMs, address: one },
  { name: 'an IPv6 network', attempt: throttleAttempt, most: 60, window_ms: quarterMs, address: inNetwork },
  { name: 'an IPv6 site', attempt: throttleAttempt, most: 240, window_ms: quarterMs, address: inSite },
  { name: 'beginnings of an address', attempt: throttleBeginning, most: 60, window_ms: quarterMs, address: one },
  {
    name: 'an account from an address',
    attempt: (limiter, address) => throttleAttempt(limiter, address, 'a@acme.example'),
    ...{ most: 10, window_ms: quarterMs, address: one },
  },
  {
    name: 'an account from anywhere',
    attempt: (limiter, address) => throttleAttempt(limiter, address, 'a@acme.example'),
    ...{ most: 200, window_ms: quarterMs },
  },
  {
    name: 'codes of a person from an address',
    attempt: (limiter, address) => throttleCode(limiter, address, 'person'),
    ...{ most: 10, window_ms: quarterMs, address: one },
  },
  {
    name: 'codes of many people from an address',
    attempt: (limiter, address) => throttleCode(limiter, address, `person ${attempts++}`),
    ...{ most: 60, window_ms: quarterMs, address: one },
  },
  {
    name: 'codes of a person from anywhere',
    attempt: (limiter, address) => throttleCode(limiter, address, 'person'),
    ...{ most: 20, window_ms: quarterMs },
  },
  {
    name: 'a known device',
    attempt: (limiter) => throttleKnown(limiter, 'device', 'a@acme.example'),
    ...{ most: 10, window_ms: quarterMs },
  },
  {
    name: 'all known devices of an account',
    attempt: (limiter, address) => throttleKnown(limiter, address, 'a@acme.example'),
    ...{ most: 100, window_ms: quarterMs },
  },
];

describe('the attempts', () => {
  for (const { name, attempt, most, window_ms, address } of limits) {
    it(`of ${name} are at most ${most} in a quarter of an hour, to the millisecond`, async () => {
      const tryOne = start(attempt);
      for (let n = 0; n < most; n++) assert.ok(await tryOne(address?.(n)), `attempt ${n + 1}`);
      const states = [];
      for (const after of [0, window_ms - 1, window_ms]) {
        now = 1_000_000 + after;
        states.push(await tryOne(address?.(most)));
      }
      assert.deepEqual(states, [false, false, true]);
    });
  }

  it('of codes of a person are at most 100 in a day, to the millisecond', async () => {
    const tryOne = start((limiter, address) => throttleCode(limiter, address, 'person'));
    for (let quarter = 0; quarter < 5; quarter++) {
      now = 1_000_000 + quarter * quarterMs;
      for (let n = 0; n < 20; n++) assert.ok(await tryOne());
    }
    const states = [];
    for (const after of [5 * quarterMs, dayMs - 1, dayMs]) {
      now = 1_000_000 + after;
      states.push(await tryOne());
    }
    assert.deepEqual(states, [false, false, true]);
  });

  it('of one account, person, device and address do not count for another', async () => {
    const names = ['a', 'b'];
    for (const attempt of [
      (limiter: ReturnType<typeof inMemory>, address: string) => throttleAttempt(limiter, address, names[0]),
      (limiter: ReturnType<typeof inMemory>, address: string) => throttleCode(limiter, address, names[0]!),
      (limiter: ReturnType<typeof inMemory>) => throttleKnown(limiter, names[0]!, names[0]!),
    ]) {
      names.sort();
      const tryOne = start(attempt);
      while (await tryOne());
      names.reverse();
      assert.ok(await tryOne());
    }
  });
});
