import type { JobHandler } from '../jobs/job.ts';
import { repeatJob } from '../jobs/repeat-job.ts';
import type { Resources } from '../process/resources.ts';
import { statement } from './query.ts';

export const settleTerms = 'search.settle_terms';

const everySeconds = 10;

/** One row for each index of terms: how many pages were put in their place. */
export const putTermsInPlace = `
  select gin_clean_pending_list(name::regclass)
  from unnest(array['contact_search_terms', 'conversation_search_terms', 'knowledge_passages_terms']) as name`;
const putInPlace = statement(putTermsInPlace);

/**
 * Every ten seconds: new terms are put in their place in the index. Written at once they would cost an import three times
 * as much, so they stand in a list of their own first, and that list each search reads from its beginning to its end.
 */
export function settleTermsHandler({ config, pool, clock }: Resources): JobHandler {
  return repeatJob(
    { pool, clock, lease_seconds: config.leaseSeconds },
    { kind: settleTerms, every_seconds: everySeconds, perform: async () => void (await putInPlace(pool, [])) },
  );
}
