import { transaction } from '../../database/transaction.ts';
import { backoffMs } from '../../jobs/backoff.ts';
import { holdLease } from '../../jobs/hold-lease.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { finish } from '../../jobs/queries.ts';
import type { Resources } from '../../process/resources.ts';
import { spendCredits, taskIdOf } from '../credits.ts';
import { indexSource, readSourceRef, type SourceRef } from '../jobs.ts';
import type { Meter, Model } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import {
  deletePassages,
  deleteSource,
  findOlderSources,
  insertPassages,
  lockSource,
  type NewPassage,
  setSourceFailed,
  setSourceIndexed,
} from '../queries.ts';
import { findKnowledgeSource, type KnowledgeSourceRow } from './read-knowledge-sources.ts';
import { readSource, TemporarilyUnreadable } from './read-source.ts';
import { UnreadableSource } from './unreadable-source.ts';
import { packVector } from './vectors.ts';

const maxAttempts = 5;
const embeddingBatchSize = 64;

/**
 * Reads a knowledge source, splits it into passages and indexes them in one commit, or records why it cannot be read. It
 * replaces older sources with the same address.
 */
export function indexSourceHandler(resources: Resources, model: Model): JobHandler {
  const { pool, clock, config, log } = resources;
  const finished: JobOutcome = { type: 'finished' };

  async function prepare(job: Job, source: KnowledgeSourceRow): Promise<NewPassage[]> {
    const passages = await readSource(resources, source);
    const bodies = passages.map(({ body }) => body);
    const embeddings = await embedAll(job, source.workspace_id, bodies);
    return passages.map((passage, position) => ({
      position,
      ...passage,
      embedding: embeddings[position] ? packVector(embeddings[position]).toString('hex') : null,
    }));
  }

  /** Without a working model, passages are found by their words alone. */
  async function embedAll(job: Job, workspace_id: string, bodies: string[]): Promise<number[][]> {
    const { embed } = model;
    if (!embed) return [];
    try {
      const embedInBatches = async (meter: Meter) => {
        const embeddings: number[][] = [];
        for (let at = 0; at < bodies.length; at += embeddingBatchSize) {
          const batch = await embed(bodies.slice(at, at + embeddingBatchSize), meter);
          for (const embedding of batch) embeddings.push(embedding);
        }
        return embeddings;
      };
      return await spendCredits(resources, workspace_id, embedInBatches, { id: taskIdOf(job) });
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      log.warn({ reason: error.message }, 'a knowledge source is indexed without embeddings');
      return [];
    }
  }

  async function store(
    job: Job,
    { workspace_id, id }: KnowledgeSourceRow,
    passages: NewPassage[],
  ): Promise<JobOutcome> {
    await transaction(pool, async (tx) => {
      if ((await finish(tx, [job])) === 0) return;
      // Held until the end, so that a choice of agents meanwhile reaches the passages.
      if (!(await lockSource(tx, workspace_id, id))) return;
      for (const older of await findOlderSources(tx, workspace_id, id)) await deleteSource(tx, workspace_id, older);
      await deletePassages(tx, workspace_id, id);
      await insertPassages(tx, workspace_id, id, passages);
      await setSourceIndexed(tx, { workspace_id, id }, passages.length, clock.now());
    });
    return finished;
  }

  async function giveUp(job: Job, { workspace_id, id }: KnowledgeSourceRow, reason: string): Promise<JobOutcome> {
    await transaction(pool, async (tx) => {
      if ((await finish(tx, [job])) > 0) await setSourceFailed(tx, workspace_id, id, reason);
    });
    return finished;
  }

  async function run(job: Job): Promise<JobOutcome> {
    const { workspace_id, source_id, tries = 0 } = readSourceRef(job.payload);
    const source = await findKnowledgeSource(pool, workspace_id, source_id);
    if (source?.status !== 'waiting') return { type: 'done' };
    try {
      const passages = await holdLease(pool, job, config.leaseSeconds, () => prepare(job, source));
      return await store(job, source, passages);
    } catch (error) {
      if (error instanceof UnreadableSource) return giveUp(job, source, error.message);
      if (!(error instanceof TemporarilyUnreadable)) throw error;
      if (tries + 1 >= maxAttempts) return giveUp(job, source, error.message);
      const tried: SourceRef = { workspace_id, source_id, tries: tries + 1 };
      return { type: 'retry', run_at: new Date(clock.nowMs() + backoffMs(tries)), payload: JSON.stringify(tried) };
    }
  }

  return { kind: indexSource, concurrency: 2, group_concurrency: 1, run };
}
