import { askOperator } from '../ask-operator.ts';
import type { DemoDay } from './demo-day.ts';

// Without a test clock, the service is never behind.
const shortestMoveMs = 1_000;

/** Moves the test clock forward to a moment, and the platform's with it. */
export async function moveDemoClock({ door, clock }: Pick<DemoDay, 'door' | 'clock'>, to_ms: number): Promise<void> {
  const { now } = (await askOperator(door, 'GET', '/clock')) as { now: string };
  const behind_ms = to_ms - Date.parse(now);
  if (behind_ms < shortestMoveMs) return;
  const moved = (await askOperator(door, 'POST', '/clock', { advance_seconds: behind_ms / 1000 })) as { now: string };
  clock.set(moved.now);
}
