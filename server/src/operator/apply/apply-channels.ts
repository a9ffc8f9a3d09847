import { refreshChannelJob } from '../../channels/jobs.ts';
import {
  type ChannelSetup,
  insertChannel,
  lockByNumber,
  type StandingChannel,
  updateChannel,
} from '../../channels/queries.ts';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid, type Refusal } from '../../http/reply/refusal.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Clock } from '../../process/clock.ts';
import type { SecretBox } from '../../secrets/encrypt.ts';
import { syncTemplatesJob } from '../../templates/jobs.ts';
import { keepPersonsChannel } from './keep-persons-channel.ts';
import type { Kept } from './kept.ts';
import { setUpChannel } from './set-up-channel.ts';
import type { FileChannel } from './workspace-file.ts';

interface Context {
  clock: Clock;
  secretBox: SecretBox;
}

/**
 * Saves channels by number, with jobs that refresh each from the platform. What a person connected or changed stays. Answers the
 * ids by number.
 */
export async function applyChannels(
  tx: Transaction,
  { clock, secretBox }: Context,
  workspace_id: string,
  channels: readonly FileChannel[],
  kept: Kept[],
): Promise<Map<string, string>> {
  const now = clock.now();
  const numbers = channels.map((channel) => channel.phone_number_id);
  const stored = new Map((await lockByNumber(tx, workspace_id, numbers)).map((row) => [row.phone_number_id, row]));
  const ids = new Map<string, string>();
  for (const [index, channel] of channels.entries()) {
    const before = stored.get(channel.phone_number_id);
    if (before && before.workspace_id !== workspace_id) throw takenNumber(index);
    const missing = before ? undefined : required.find((member) => channel[member] === undefined);
    if (missing) throw invalid({ detail: 'is required for a new channel', pointer: `/channels/${index}/${missing}` });
    if (before?.disconnected_at) {
      const value = 'disconnected';
      kept.push({ channel: channel.phone_number_id, member: 'status', value, in_file: 'connected' });
      ids.set(channel.phone_number_id, before.id);
      continue;
    }
    const allowed = before?.changed_at ? keepPersonsChannel(secretBox, channel, before, kept) : channel;
    const setup = setUpChannel(secretBox, allowed, before, before?.id ?? newId(clock));
    if (before) await updateIfChanged(tx, workspace_id, before, setup);
    else if (!(await insertChannel(tx, workspace_id, { ...setup, created_at: now }))) throw takenNumber(index);
    ids.set(channel.phone_number_id, setup.id);
  }
  const former = new Set([...stored.values()].flatMap(({ id, disconnected_at }) => (disconnected_at ? [id] : [])));
  const refs = [...ids.values()].filter((id) => !former.has(id)).map((channel_id) => ({ workspace_id, channel_id }));
  await enqueueJobs(
    tx,
    refs.flatMap((ref) => [refreshChannelJob(ref, now), syncTemplatesJob(ref, now)]),
  );
  return ids;
}

const required = ['waba_id', 'access_token', 'app_secret', 'verify_token'] as const;

async function updateIfChanged(
  tx: Transaction,
  workspace_id: string,
  before: StandingChannel,
  setup: ChannelSetup,
): Promise<void> {
  const members = Object.keys(setup) as (keyof ChannelSetup)[];
  // `setUpChannel` keeps the identity of equal values, sealed secrets included.
  if (members.every((member) => setup[member] === before[member])) return;
  await updateChannel(tx, workspace_id, setup, setup.access_token !== before.access_token);
}

function takenNumber(index: number): Refusal {
  const pointer = `/channels/${index}/phone_number_id`;
  return invalid({ detail: 'belongs to a channel of another workspace', pointer });
}
