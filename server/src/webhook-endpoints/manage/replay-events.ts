import type { Pool } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { transaction } from '../../database/transaction.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Resources } from '../../process/resources.ts';
import { deliverEventJob } from '../jobs.ts';
import { insertReplayed } from '../queries.ts';

/** Which deliveries to begin anew. */
export interface ReplayRequest {
  workspace_id: string;
  endpoint_id: string;
  /** This event alone, delivered or not. */
  event_id?: string;
  /** Events that happened in this time; without it, of all that are kept. */
  from: Date | null;
  to: Date | null;
  undelivered: boolean;
}

interface Listed {
  event_id: string;
  listed_at: Date;
  id: string;
}

/** A null id stands before all attempts of its time. */
type Position = Pick<Listed, 'listed_at'> & { id: string | null };

const portion = 1_000;

// Each event at its first attempt: an event that is replayed here does not come up again behind.
const selectListed = statement<Listed>(`
  select a.event_id, a.listed_at, a.id from webhook_attempts a
  where a.workspace_id = $1 and a.endpoint_id = $2 and a.listed_at between $3 and $4
    and ($5::uuid is null or (a.listed_at, a.id) > ($3, $5))
    and not exists (select from webhook_attempts earlier where earlier.workspace_id = a.workspace_id
      and earlier.event_id = a.event_id and earlier.endpoint_id = a.endpoint_id and earlier.attempt < a.attempt)
  order by a.listed_at, a.id limit $6`);

/**
 * Delivers again what an endpoint was meant to get, at once and then on the whole schedule. Portion by portion, each with
 * its jobs: repeated after it was cut off, it goes on, because what is due already is passed over. Answers how many.
 */
export async function replayEvents(resources: Resources, request: ReplayRequest): Promise<number> {
  const { pool, clock } = resources;
  if (request.event_id) return replay(resources, request, [request.event_id]);
  const until = clock.now();
  let after: Position = { listed_at: request.from ?? new Date(0), id: null };
  let replayed = 0;
  for (;;) {
    const listed = await listFirst(pool, request, after, until);
    replayed += await replay(
      resources,
      request,
      listed.map(({ event_id }) => event_id),
    );
    if (listed.length < portion) return replayed;
    after = listed.at(-1)!;
  }
}

function listFirst(
  pool: Pool,
  { workspace_id, endpoint_id }: ReplayRequest,
  { listed_at, id }: Position,
  until: Date,
): Promise<Listed[]> {
  return selectListed(pool, [workspace_id, endpoint_id, listed_at, until, id, portion]);
}

function replay({ pool, clock }: Resources, request: ReplayRequest, event_ids: string[]): Promise<number> {
  return transaction(pool, async (tx) => {
    const refs = await insertReplayed(tx, { ...request, event_ids });
    await enqueueJobs(
      tx,
      refs.map((ref) => deliverEventJob(ref, clock.now())),
    );
    return refs.length;
  });
}
