import { beginAwayPeriod, lockConversation } from '../../conversations/queries.ts';
import { statement } from '../../database/query.ts';
import { type Transaction, transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { finish } from '../../jobs/queries.ts';
import type { Clock } from '../../process/clock.ts';
import type { Resources } from '../../process/resources.ts';
import { evaluateHours } from '../../workspaces/business-hours.ts';
import { readHours } from '../../workspaces/hours-settings.ts';
import { sendMessages } from '../accept/send-messages.ts';
import { type AwayRef, answerAway, readAwayRef } from '../jobs.ts';

/** Sends the away message to customers who write outside the business hours, once in each closed period. */
export function answerAwayHandler({ pool, clock, log }: Resources): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const refusal = await transaction(pool, async (tx) => {
      const answer = await answerOne(tx, clock, readAwayRef(job.payload));
      // The end of the job commits with the message, so no second run sends another one.
      const isHeld = (await finish(tx, [job])) > 0;
      if (!isHeld) throw new Error('another worker has the job');
      return answer;
    });
    if (refusal) log.debug({ job_id: job.id, code: refusal.code }, 'an away message was not sent');
    return { type: 'finished' };
  }
  return { kind: answerAway, concurrency: 8, group_concurrency: 4, starts_at_claim: true, run };
}

// Somebody or a bot has answered since, or the message was erased.
const selectWaiting = statement<{ created_at: Date }>(`
  select m.created_at from messages m
  join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
  where m.workspace_id = $1 and m.id = $2 and coalesce(c.last_business_message_id < m.id, true)`);

async function answerOne(
  tx: Transaction,
  clock: Clock,
  { workspace_id, conversation_id, message_id }: AwayRef,
): Promise<Refusal | undefined> {
  const conversation = await lockConversation(tx, workspace_id, conversation_id);
  if (!conversation) return undefined;
  const { hours, timezone } = await readHours(tx, workspace_id);
  const [waiting] = await selectWaiting(tx, [workspace_id, message_id]);
  if (hours?.away_message === undefined || !waiting) return undefined;
  const now = evaluateHours(hours, timezone, clock.now());
  const then = evaluateHours(hours, timezone, waiting.created_at);
  // A job that waited for long finds an open business, or another closed period.
  if (now.closed_since === undefined || now.closed_since !== then.closed_since) return undefined;
  // A bot in control answers by itself.
  if (conversation.controller === 'bot') return undefined;
  if (!(await beginAwayPeriod(tx, conversation, now.closed_since))) return undefined;
  const [sent] = await sendMessages(tx, clock, [
    {
      names: { workspace_id, conversation_id },
      content: { kind: 'text', body: hours.away_message },
      reopens: false,
      actor: undefined,
      is_automatic: true,
    },
  ]);
  return sent instanceof Refusal ? sent : undefined;
}
