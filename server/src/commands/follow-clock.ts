import { askOperator, type OperatorDoor } from './ask-operator.ts';

/** The simulated platform's time, which moves with the service's test clock: otherwise a customer who answers after
 * `clock advance 25h` would have answered yesterday. */
export interface PlatformClock {
  now(): number;
  follow(door: OperatorDoor): void;
  stop(): void;
}

// The service's own processes follow a move within a second too.
const lookEveryMs = 500;

export function followClock(): PlatformClock {
  let offset = 0;
  let timer: NodeJS.Timeout | undefined;

  async function look(door: OperatorDoor): Promise<void> {
    const { now } = (await askOperator(door, 'GET', '/clock')) as { now: string };
    offset = new Date(now).getTime() - Date.now();
  }

  return {
    now: () => Date.now() + offset,
    follow(door) {
      // A service that is busy or stopping is asked again.
      timer = setInterval(() => void look(door).catch(() => {}), lookEveryMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
