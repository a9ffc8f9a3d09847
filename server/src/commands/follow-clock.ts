import { askOperator, type OperatorDoor } from './ask-operator.ts';

/**
 * The simulator's time follows the service's test clock. Otherwise a customer's answer after `clock advance 25h` would
 * carry yesterday's time.
 */
export interface PlatformClock {
  now(): number;
  follow(door: OperatorDoor): void;
  /** Takes over the service's time at once, after a move. */
  set(now: string): void;
  stop(): void;
}

// The service's processes follow a move within a second as well.
const pollEveryMs = 500;

export function followClock(): PlatformClock {
  let offset = 0;
  let timer: NodeJS.Timeout | undefined;

  async function poll(door: OperatorDoor): Promise<void> {
    const { now } = (await askOperator(door, 'GET', '/clock')) as { now: string };
    set(now);
  }

  function set(now: string): void {
    offset = Date.parse(now) - Date.now();
  }

  return {
    set,
    now: () => Date.now() + offset,
    follow(door) {
      // A failed poll is repeated by the next one.
      timer = setInterval(() => void poll(door).catch(() => {}), pollEveryMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
