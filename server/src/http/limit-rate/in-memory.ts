import { type Admission, type Check, describeAdmission, type RateLimiter } from './rate-limiter.ts';

const sweep_every_ms = 60_000;
/** Bounds the memory during a flood from many addresses. Beyond this number, the oldest key is dropped. */
const max_keys = 100_000;

/**
 * Counts inside the process with an exact log of admissions per key: no interval of `window_ms` contains more than `limit`.
 * A fixed window would admit twice as many at its edge (hazard H61).
 *
 * `now` is in milliseconds and must never go back: rate limits run on real time, not on the test clock.
 */
export function inMemory(now: () => number = () => performance.now()): RateLimiter {
  const windows = new Map<string, Window>();
  let sweep_at = now() + sweep_every_ms;

  return {
    admit: async (checks) => decide(checks, true),
    peek: async (checks) => decide(checks, false),
    giveBack: async (checks, { at }) => {
      windowOf(checks[0]!, now()).remove(at);
      return decide(checks, false);
    },
    close: async () => windows.clear(),
  };

  function decide(checks: Check[], count: boolean): Admission {
    const time = now();
    if (time >= sweep_at) sweep(time);
    const found = checks.map((check) => windowOf(check, time));
    const admitted = checks.every(({ limit }, index) => found[index]!.size < limit);
    if (admitted && count) checks.forEach(({ limit }, index) => void found[index]!.add(time, limit));
    const states = checks.map(({ limit }, index) => ({
      count: found[index]!.size,
      back_in_ms: found[index]!.backIn(time, limit),
    }));
    return describeAdmission(checks, states, { admitted, at: time });
  }

  function windowOf({ key, window_ms }: Check, time: number): Window {
    let window = windows.get(key);
    if (!window) {
      if (windows.size >= max_keys) windows.delete(windows.keys().next().value!);
      window = new Window(window_ms);
      windows.set(key, window);
    }
    window.forget(time);
    return window;
  }

  function sweep(time: number): void {
    for (const [key, window] of windows) {
      window.forget(time);
      if (window.size === 0) windows.delete(key);
    }
    sweep_at = time + sweep_every_ms;
  }
}

/** The times of the admissions inside the window, in a ring buffer that grows up to the limit. */
class Window {
  size = 0;
  #first = 0;
  #times = new Float64Array(8);
  readonly #length_ms: number;

  constructor(length_ms: number) {
    this.#length_ms = length_ms;
  }

  add(time: number, limit: number): void {
    if (this.size === this.#times.length) this.#grow(Math.min(2 * this.size, limit));
    this.#times[(this.#first + this.size++) % this.#times.length] = time;
  }

  /** Removes one admission of this time, if it is still inside the window. */
  remove(time: number): void {
    const length = this.#times.length;
    const indexes = Array.from({ length: this.size }, (_, n) => (this.#first + n) % length);
    const found = indexes.findLastIndex((index) => this.#times[index] === time);
    if (found < 0) return;
    for (let n = found; n + 1 < this.size; n++) this.#times[indexes[n]!] = this.#times[indexes[n + 1]!]!;
    this.size--;
  }

  /** Drops admissions that left the window. An admission counts during [time, time + length). */
  forget(time: number): void {
    while (this.size > 0 && this.#times[this.#first]! + this.#length_ms <= time) {
      this.#first = (this.#first + 1) % this.#times.length;
      this.size--;
    }
  }

  /** The time until the window has more room; if it holds more than `limit`, until it has any room. */
  backIn(time: number, limit: number): number {
    if (this.size === 0) return 0;
    const index = Math.max(0, this.size - limit);
    const back_in_ms = this.#times[(this.#first + index) % this.#times.length]! + this.#length_ms - time;
    // Floating point may exceed the window slightly, which would round up to one second more.
    return Math.min(back_in_ms, this.#length_ms);
  }

  #grow(capacity: number): void {
    const times = new Float64Array(capacity);
    times.set(this.#times.subarray(this.#first));
    times.set(this.#times.subarray(0, this.#first), this.#times.length - this.#first);
    this.#times = times;
    this.#first = 0;
  }
}
