import type { JobHandler } from '../../jobs/job.ts';
import { repeatJob } from '../../jobs/repeat-job.ts';
import type { Resources } from '../../process/resources.ts';
import { spendCredits } from '../credits.ts';
import { embedMissing, type SourceRef } from '../jobs.ts';
import type { Meter, Model } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import { findPassagesWithoutEmbedding, listSourcesWithoutEmbeddings, saveEmbeddings } from '../queries.ts';
import { packVector } from './vectors.ts';

const interval_seconds = 3_600;
const embeddingBatchSize = 64;

/**
 * Embeds hourly the passages that were indexed without an embedding model or while it failed. Register it only in processes
 * with an embedding model: another process would take the job without doing it.
 */
export function embedMissingHandler(resources: Resources, embed: NonNullable<Model['embed']>): JobHandler {
  const { config, pool, clock, log } = resources;

  /** Stores each batch before the next one, so that a later failure loses no paid embeddings. */
  async function embedSource(source: SourceRef, meter: Meter): Promise<void> {
    for (;;) {
      const missing = await findPassagesWithoutEmbedding(pool, source, embeddingBatchSize);
      if (missing.length === 0) return;
      const texts = missing.map(({ body }) => body);
      const vectors = (await embed(texts, meter)).map((vector) => packVector(vector).toString('hex'));
      await saveEmbeddings(
        pool,
        source,
        missing.map(({ position }, index) => ({ position, embedding: vectors[index]! })),
      );
    }
  }

  async function perform(): Promise<void> {
    // After an exhausted budget or a failed model, the other sources of the workspace would fail too.
    const failing = new Set<string>();
    for (const source of await listSourcesWithoutEmbeddings(pool)) {
      const { workspace_id } = source;
      if (failing.has(workspace_id)) continue;
      try {
        await spendCredits(resources, workspace_id, (meter) => embedSource(source, meter));
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error;
        log.warn({ reason: error.message }, 'passages of a knowledge source stay without embeddings');
        failing.add(workspace_id);
      }
    }
  }

  return repeatJob({ pool, clock, config }, { kind: embedMissing, every_seconds: interval_seconds, perform });
}
