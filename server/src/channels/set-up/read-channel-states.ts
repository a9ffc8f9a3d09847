import { createHash } from 'node:crypto';
import type { ChannelState } from '@majlis/console-api';
import type { Connection } from '../../database/pool.ts';
import { build, run } from '../../database/query.ts';
import { isOpenable, type SecretBox } from '../../secrets/encrypt.ts';
import { type ChannelRow, presentChannel } from '../present.ts';

export interface ChannelStateRow extends ChannelRow {
  verify_token: Buffer;
  messaging_tier: number | null;
  fault: string | null;
  fault_until: Date | null;
  callback_verified_at: Date | null;
  business_username: string | null;
  business_username_status: string | null;
  history_phase: number | null;
  history_progress: number | null;
  history_declined: boolean;
}

const columns = [
  ...(['id', 'type', 'status', 'name', 'display_phone', 'verified_name', 'quality', 'waba_id'] as const),
  ...(['phone_number_id', 'created_at', 'access_token', 'app_secret', 'verify_token'] as const),
  ...(['messaging_tier', 'fault', 'fault_until', 'callback_verified_at', 'disconnected_at'] as const),
  ...(['business_username', 'business_username_status'] as const),
  ...(['history_phase', 'history_progress', 'history_declined'] as const),
] as const;

/** The oldest first. */
export function listChannelStates(connection: Connection, workspace_id: string): Promise<ChannelStateRow[]> {
  const query = build
    .selectFrom('channels')
    .select(columns)
    .where('workspace_id', '=', workspace_id)
    .orderBy('created_at')
    .orderBy('id');
  return run(connection, query);
}

/** Locks the channel. */
export async function lockChannelState(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<ChannelStateRow | undefined> {
  const query = build
    .selectFrom('channels')
    .select(columns)
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .forNoKeyUpdate();
  return (await run(connection, query))[0];
}

export function presentChannelState(row: ChannelStateRow, secretBox: SecretBox): ChannelState {
  const { messaging_tier, status, fault, fault_until, callback_verified_at, disconnected_at } = row;
  const { access_token, app_secret } = row;
  return {
    channel: presentChannel(row, secretBox),
    // A tier of null means no limit, once the platform has reported.
    ...((messaging_tier !== null || status !== null) && { messaging_tier }),
    ...(row.business_username !== null && {
      username: { name: row.business_username, status: row.business_username_status ?? '' },
    }),
    ...presentHistory(row),
    ...(fault !== null && { trouble: fault }),
    ...(fault_until && { next_try_at: fault_until.toISOString() }),
    secrets_open: isOpenable(secretBox, access_token) && isOpenable(secretBox, app_secret),
    ...(callback_verified_at && { callback_verified_at: callback_verified_at.toISOString() }),
    ...(disconnected_at && { disconnected_at: disconnected_at.toISOString() }),
    version: versionOf(row),
  };
}

/** Messages that came count more than a refusal, whatever came first. */
function presentHistory({ history_phase, history_progress, history_declined }: ChannelStateRow) {
  const isBegun = history_phase !== null || history_progress !== null;
  if (!isBegun && !history_declined) return {};
  const state = history_progress === 100 ? 'finished' : isBegun ? 'running' : 'declined';
  return {
    history: {
      state,
      ...(history_phase !== null && { phase: history_phase }),
      ...(history_progress !== null && { progress: history_progress }),
    },
  } satisfies Partial<ChannelState>;
}

/** Differs after every change of a person, also of a secret, and tells nothing of the values. */
export function versionOf({ id, name, waba_id, disconnected_at, ...secrets }: ChannelStateRow): string {
  const hash = createHash('sha256').update(JSON.stringify([id, name, waba_id, disconnected_at]));
  const { access_token, app_secret, verify_token } = secrets;
  for (const sealed of [access_token, app_secret, verify_token]) hash.update(sealed);
  return hash.digest('base64url').slice(0, 16);
}
