import type { JobHandler } from '../../jobs/job.ts';
import { repeatJob } from '../../jobs/repeat-job.ts';
import type { Resources } from '../../process/resources.ts';
import { spendCredits } from '../credits.ts';
import { embedMissing } from '../jobs.ts';
import type { Meter, Model } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import { findBare, listBareSources, type PassagesOf, saveEmbeddings } from '../queries.ts';
import { packVector } from './vectors.ts';

const hourSeconds = 3_600;
const embeddedAtOnce = 64;

/**
 * Every hour: passages without a vector get one. They were read before there was an embedding model, or while it failed. Bound
 * only where there is one: a process without would put it off for the others.
 */
export function embedMissingHandler(resources: Resources, embed: NonNullable<Model['embed']>): JobHandler {
  const { config, pool, clock, log } = resources;

  /** Each portion is stored before the next: what was paid for is not lost to what comes after it. */
  async function embedSource(source: PassagesOf, meter: Meter): Promise<void> {
    for (;;) {
      const bare = await findBare(pool, source, embeddedAtOnce);
      if (bare.length === 0) return;
      const texts = bare.map(({ body }) => body);
      const vectors = (await embed(texts, meter)).map((vector) => packVector(vector).toString('hex'));
      await saveEmbeddings(
        pool,
        source,
        bare.map(({ position }, index) => ({ position, embedding: vectors[index]! })),
      );
    }
  }

  async function perform(): Promise<void> {
    // A budget that is used up, or a model that is away: the others of this workspace would fare no better.
    const failing = new Set<string>();
    for (const source of await listBareSources(pool)) {
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

  return repeatJob(
    { pool, clock, lease_seconds: config.leaseSeconds },
    { kind: embedMissing, every_seconds: hourSeconds, perform },
  );
}
