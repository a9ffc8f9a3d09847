import type { BroadcastCreate } from '@majlis/contract';
import { newId } from '../database/ids.ts';
import { momentOf } from '../database/moment-of.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Caller } from '../http/authenticate.ts';
import { invalid } from '../http/reply/refusal.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import type { Clock } from '../process/clock.ts';
import { broadcastJob, startBroadcast } from './jobs.ts';
import { insertBroadcast, insertRecipients } from './queries.ts';
import { readAudience } from './read-audience.ts';
import { refuseUnsendable } from './refuse-unsendable.ts';
import { requireSender } from './require-sender.ts';

/** Stores a broadcast with the job that starts it at its time; answers its id. Refuses messages that could never be sent. */
export async function createBroadcast(
  tx: Transaction,
  clock: Clock,
  { workspace_id, country, user_id }: Caller,
  { name, channel_id, template, audience, send_at }: BroadcastCreate,
): Promise<string> {
  const sender = await requireSender(tx, clock, workspace_id, { channel_id, template });
  const chosen = await readAudience(tx, workspace_id, audience, country ?? undefined);
  const refused = await refuseUnsendable(sender, audience);
  if (refused) throw refused;

  const now = clock.now();
  const id = newId(clock);
  const start_at = readStart(send_at, now);
  await insertBroadcast(tx, {
    workspace_id,
    id,
    name,
    channel_id: sender.channel_id,
    template_name: template.name,
    template_language: template.language,
    tags: chosen.tags ?? null,
    stage_id: chosen.stage_id ?? null,
    send_at: start_at,
    created_by: user_id,
    created_at: now,
  });
  if (chosen.recipients) await insertRecipients(tx, { workspace_id, id }, chosen.recipients);
  const ref = { workspace_id, broadcast_id: id, channel_id: sender.channel_id };
  await enqueueJobs(tx, [broadcastJob(startBroadcast, ref, start_at)]);
  return id;
}

/** A past moment means now. */
function readStart(send_at: string | undefined, now: Date): Date {
  if (send_at === undefined) return now;
  const moment = momentOf(send_at);
  if (!moment) throw invalid({ detail: 'is no moment of the years 1 to 9999', pointer: '/send_at' });
  return moment < now ? now : moment;
}
