import type { BroadcastDetails, BroadcastPace, BroadcastState } from '@majlis/console-api';
import { publicId } from '../database/ids.ts';
import { failureCode } from '../messages/thread/failure-code.ts';
import type { FailureCount } from './list-failures.ts';
import { presentBroadcast } from './present.ts';
import type { BroadcastRow } from './read-broadcasts.ts';
import type { TierState } from './tier.ts';

export function presentState(row: BroadcastRow): BroadcastState {
  const { created_at, created_by, paused_at, paused_by, waiting, queued } = row;
  const hasEnded = row.status === 'sent' || row.status === 'cancelled';
  const isPaused = paused_at !== null && !hasEnded;
  return {
    broadcast: presentBroadcast(row),
    created_at: created_at.toISOString(),
    ...(created_by && { created_by: publicId('user', created_by) }),
    paused: isPaused,
    ...(isPaused && { paused_at: paused_at.toISOString() }),
    ...(isPaused && paused_by && { paused_by: publicId('user', paused_by) }),
    waiting: hasEnded ? 0 : waiting,
    handed_over: queued,
  };
}

export function presentDetails(
  row: BroadcastRow,
  failures: readonly FailureCount[],
  tier: TierState,
): BroadcastDetails {
  return { ...presentState(row), failures: failures.map(presentFailure), pace: presentPace(tier) };
}

function presentFailure({ code: leading, error, count }: FailureCount): BroadcastDetails['failures'][number] {
  const code = error === null ? undefined : failureCode(error);
  return {
    reason: leading ?? error ?? '',
    ...(code !== undefined && { code }),
    ...(error !== null && { error }),
    count,
  };
}

export function presentPace({ messaging_tier, places, next_at }: TierState): BroadcastPace {
  return {
    messaging_tier,
    ...(messaging_tier !== null && { places }),
    ...(messaging_tier !== null && next_at && { next_at: next_at.toISOString() }),
  };
}
