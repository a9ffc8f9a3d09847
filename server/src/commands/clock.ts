import { CannotRun } from '../process/cannot-run.ts';
import { readConfig } from '../process/config.ts';
import { askOperator } from './ask-operator.ts';
import { findDoor } from './find-door.ts';

interface ClockOptions {
  url?: string;
}

/** `majlis clock advance 25h` */
export async function advanceClock(time: string, { url }: ClockOptions): Promise<void> {
  const advance_seconds = parseDuration(time);
  const config = readConfig(process.env, 'clock');
  if (advance_seconds === undefined) {
    throw new CannotRun(`${JSON.stringify(time)} is not a time such as 25h, 90m, 30s or 1d12h`);
  }
  const door = await findDoor(config, url);
  const meaning = { 404: `the clock of the service at ${door.url} is not to be moved: start it with TEST_CLOCK=1` };
  const { now } = (await askOperator(door, 'POST', '/clock', { advance_seconds }, meaning)) as ClockAnswer;
  process.stdout.write(`${now}\n`);
}

/** `majlis clock show` */
export async function showClock({ url }: ClockOptions): Promise<void> {
  const config = readConfig(process.env, 'clock');
  const { now } = (await askOperator(await findDoor(config, url), 'GET', '/clock')) as ClockAnswer;
  process.stdout.write(`${now}\n`);
}

interface ClockAnswer {
  now: string;
}

const secondsOf: Record<string, number> = { d: 86_400, h: 3_600, m: 60, s: 1 };

/** `1d12h` → 129600; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+[dhms])+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+)([dhms])/g);
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * secondsOf[unit!]!, 0);
}
