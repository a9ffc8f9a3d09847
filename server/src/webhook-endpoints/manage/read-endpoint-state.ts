import type { EndpointState } from '@majlis/console-api';
import { limits } from '@majlis/contract';
import { statement } from '../../database/query.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Resources } from '../../process/resources.ts';

const selectState = statement<{
  description: string | null;
  failing_since: Date | null;
  old_secret_until: Date | null;
}>(`
  select description, failing_since, old_secret_until from webhook_endpoints
  where workspace_id = $1 and id = $2 and deleted_at is null`);

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
  return {
    ...(description !== null && { description }),
    ...(failing_since && { failing_since: failing_since.toISOString() }),
    ...(disabled_after && { disabled_after: disabled_after.toISOString() }),
    ...(old_secret_until && old_secret_until > clock.now() && { old_secret_until: old_secret_until.toISOString() }),
  };
}
