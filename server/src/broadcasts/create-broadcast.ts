import type { BroadcastCreate, BroadcastRecipient } from '@majlis/contract';
import { mapInSlices } from '../concurrency/map-in-slices.ts';
import { normalizePhone, phoneDigits } from '../contacts/normalize-phone.ts';
import { findByPublicId } from '../conversations/find-by-public-id.ts';
import { newId, parseId } from '../database/ids.ts';
import { momentOf } from '../database/moment-of.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Caller } from '../http/authenticate.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import { findTargets } from '../messages/accept/find-targets.ts';
import { waIdVariants } from '../platform/number-variants.ts';
import type { Clock } from '../process/clock.ts';
import { broadcastJob, startBroadcast } from './jobs.ts';
import { insertBroadcast, insertRecipients, type NewRecipient } from './queries.ts';
import { refuseUnsendable } from './refuse-unsendable.ts';

/** Stores a broadcast with the job that starts it at its time; answers its id. Refuses messages that could never be sent. */
export async function createBroadcast(
  tx: Transaction,
  clock: Clock,
  { workspace_id, country, user_id }: Caller,
  { name, channel_id, template, audience, send_at }: BroadcastCreate,
): Promise<string> {
  const channel = channel_id === undefined ? undefined : parseId('channel', channel_id);
  if (channel_id !== undefined && !channel) throw invalid({ detail: 'names no channel', pointer: '/channel_id' });
  const [target] = await findTargets(tx, [
    { workspace_id, channel_id: channel, template_name: template.name, template_language: template.language },
  ]);
  if (!target!.channel_id) {
    const detail = channel ? 'names no channel' : 'is required unless the workspace has exactly one channel';
    throw invalid({ detail, pointer: '/channel_id' });
  }
  if (!target!.template_components) throw new Refusal('template_not_found');
  const chosen = await readAudience(tx, workspace_id, audience, country ?? undefined);
  const refused = await refuseUnsendable(target!.template_components, audience);
  if (refused) throw refused;

  const now = clock.now();
  const id = newId(clock);
  const start_at = readStart(send_at, now);
  await insertBroadcast(tx, {
    workspace_id,
    id,
    name,
    channel_id: target!.channel_id,
    template_name: template.name,
    template_language: template.language,
    tags: chosen.tags ?? null,
    stage_id: chosen.stage_id ?? null,
    send_at: start_at,
    created_by: user_id,
    created_at: now,
  });
  if (chosen.recipients) await insertRecipients(tx, { workspace_id, id }, chosen.recipients);
  const ref = { workspace_id, broadcast_id: id, channel_id: target!.channel_id };
  await enqueueJobs(tx, [broadcastJob(startBroadcast, ref, start_at)]);
  return id;
}

/** A past moment means now. */
function readStart(send_at: string | undefined, now: Date): Date {
  if (send_at === undefined) return now;
  const moment = momentOf(send_at);
  if (!moment) throw invalid({ detail: 'is no moment before the year 10000', pointer: '/send_at' });
  return moment < now ? now : moment;
}

interface Audience {
  tags?: string[];
  stage_id?: string;
  recipients?: NewRecipient[];
}

async function readAudience(
  tx: Transaction,
  workspace_id: string,
  { tags, stage_id, recipients }: BroadcastCreate['audience'],
  country: string | undefined,
): Promise<Audience> {
  if ([tags, stage_id, recipients].filter((one) => one !== undefined).length !== 1) {
    throw invalid({ detail: 'must have exactly one of tags, stage_id and recipients', pointer: '/audience' });
  }
  if (tags) return { tags };
  if (recipients) return { recipients: await readRecipients(recipients, country) };
  const stage = await findByPublicId(tx, 'stage', workspace_id, stage_id!);
  if (!stage) throw invalid({ detail: 'names no stage', pointer: '/audience/stage_id' });
  return { stage_id: stage };
}

/**
 * Reads each number once, as E.164, with its first params. The two spellings of three countries are one number: the platform
 * would deliver both messages to the same customer (platform protocol, section 12).
 */
async function readRecipients(
  recipients: readonly BroadcastRecipient[],
  country: string | undefined,
): Promise<NewRecipient[]> {
  const identifiers = await mapInSlices(recipients, ({ to }) => normalizePhone(to, country));
  const named = new Set<string>();
  const read: NewRecipient[] = [];
  const faults = [];
  for (const [index, { params = [] }] of recipients.entries()) {
    const identifier = identifiers[index];
    if (!identifier) faults.push({ detail: 'is not a phone number', pointer: `/audience/recipients/${index}/to` });
    else if (!named.has(identifier)) {
      read.push({ identifier, params });
      for (const spelling of waIdVariants(phoneDigits(identifier))) named.add(spelling);
    }
  }
  if (faults.length > 0) throw invalid(faults);
  return read;
}
