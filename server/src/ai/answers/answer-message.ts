import { answerMessage } from '../../automation/jobs.ts';
import { transaction } from '../../database/transaction.ts';
import { holdLease } from '../../jobs/hold-lease.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import type { Resources } from '../../process/resources.ts';
import { readAnswerRef } from '../jobs.ts';
import type { Model } from '../model.ts';
import { decideAnswer } from './decide-answer.ts';
import { findAnswerTask } from './find-answer-task.ts';
import { hasNewerJob, recordAnswer } from './record-answer.ts';

/**
 * Lets the controlling agent answer after the customer has been quiet for `AI_QUIET_SECONDS`: several messages get one
 * answer. The answer and the end of the job are one commit, so a crash repeats the model call and never the send.
 */
export function answerMessageHandler(resources: Resources, model: Model): JobHandler {
  const { pool, clock, config } = resources;

  async function run(job: Job): Promise<JobOutcome> {
    const task = await findAnswerTask(pool, readAnswerRef(job.payload));
    if (!task || (await hasNewerJob(pool, job))) return { type: 'done' };
    const quiet_until = task.written_at.getTime() + config.aiQuietSeconds * 1000;
    if (quiet_until > clock.nowMs()) return { type: 'retry', run_at: new Date(quiet_until) };
    const decision = await holdLease(pool, job, config.leaseSeconds, () => decideAnswer(resources, model, job, task));
    await transaction(pool, (tx) => recordAnswer(tx, { clock, quotas: config.quotas }, job, task, decision));
    return { type: 'finished' };
  }

  return { kind: answerMessage, concurrency: 32, group_concurrency: 8, run };
}
