import type { EndpointState } from '@majlis/console-api';
import { limits } from '@majlis/contract';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { deliverEvent } from '../../events/delivery-job.ts';
import { digestOf } from '../../http/digest-of.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Resources } from '../../process/resources.ts';

interface StateRow {
  id: string;
  url: string;
  events: string[];
  enabled: boolean;
  event_data: string;
  description: string | null;
  failing_since: Date | null;
  old_secret_until: Date | null;
}

const columns = 'id, url, to_json(events) as events, enabled, event_data, description, failing_since, old_secret_until';
const ofEndpoint = 'from webhook_endpoints where workspace_id = $1 and id = $2 and deleted_at is null';
const selectState = statement<StateRow>(`select ${columns} ${ofEndpoint}`);
const lockState = statement<StateRow>(`select ${columns} ${ofEndpoint} for no key update`);
/** A busy endpoint has millions: people need no exact number of those. */
const mostCounted = 1_001;
const countListed = statement<{ attempts: number }>(`
  select count(*)::int as attempts from (
    select 1 as one from webhook_attempts where workspace_id = $1 and endpoint_id = $2 and listed_at is not null
    order by listed_at desc, id desc limit ${mostCounted}) as listed`);
// The job of a retry that a replay superseded stays until it is due, and attempts nothing.
const countWaiting = statement<{ waiting: number }>(`
  select count(*)::int as waiting from (
    select 1 as one from jobs j
    join webhook_attempts a on a.workspace_id = $1 and a.endpoint_id = $2
      and a.event_id = (j.payload::json ->> 'event_id')::uuid and a.attempt = (j.payload::json ->> 'attempt')::int
    where j.kind = $3 and j.group_id = $2 and a.listed_at is null and not exists (
      select from webhook_attempts later where later.workspace_id = $1 and later.event_id = a.event_id
        and later.endpoint_id = $2 and later.attempt > a.attempt)
    limit ${mostCounted}) as waiting`);

const versionOf = ({ id, url, events, enabled, event_data }: StateRow): string =>
  digestOf([id, url, events, enabled, event_data]);

/** Locks the endpoint. Refuses where somebody changed it since `version`. */
export async function requireEndpointVersion(
  tx: Transaction,
  workspace_id: string,
  id: string,
  version: string,
): Promise<void> {
  const [row] = await lockState(tx, [workspace_id, id]);
  if (!row) throw new Refusal('not_found');
  if (versionOf(row) !== version) throw new Refusal('changed_meanwhile');
}

/** What people see of an endpoint besides the members of the contract. */
export async function readEndpointState(
  { pool, clock }: Pick<Resources, 'pool' | 'clock'>,
  workspace_id: string,
  id: string,
): Promise<EndpointState> {
  const [row] = await selectState(pool, [workspace_id, id]);
  if (!row) throw new Refusal('not_found');
  const { description, failing_since, old_secret_until } = row;
  const disabled_after =
    failing_since && new Date(failing_since.getTime() + limits.webhook.disable_after_seconds * 1000);
  const [listed] = await countListed(pool, [workspace_id, id]);
  const [due] = await countWaiting(pool, [workspace_id, id, deliverEvent]);
  return {
    version: versionOf(row),
    attempts: listed!.attempts,
    waiting: due!.waiting,
    ...(description !== null && { description }),
    ...(failing_since && { failing_since: failing_since.toISOString() }),
    ...(disabled_after && { disabled_after: disabled_after.toISOString() }),
    ...(old_secret_until && old_secret_until > clock.now() && { old_secret_until: old_secret_until.toISOString() }),
  };
}
