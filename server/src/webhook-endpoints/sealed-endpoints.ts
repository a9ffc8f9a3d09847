import { publicId } from '../database/ids.ts';
import { statement } from '../database/query.ts';
import { resealOpenable } from '../secrets/reseal-openable.ts';
import { firstId, type SealedRows, sealedPageSize } from '../secrets/sealed-rows.ts';
import { secretContext } from './queries.ts';

interface SealedEndpoint {
  workspace_id: string;
  id: string;
  secret: Buffer;
  old_secret: Buffer | null;
}

const selectSealed = statement<SealedEndpoint>(`
  select workspace_id, id, secret, old_secret from webhook_endpoints
  where (workspace_id, id) > ($1, $2) and deleted_at is null and (
    (substring(secret for 9) = any ($3::bytea[])) = $4 or (substring(old_secret for 9) = any ($3)) = $4)
  order by workspace_id, id limit $5`);

const updateSealed = statement(`
  update webhook_endpoints set secret = $5, old_secret = $6
  where workspace_id = $1 and id = $2 and secret = $3 and old_secret is not distinct from $4`);

/** The secrets that sign deliveries. The address stays unnamed in logs, because it may hold a token. */
export const sealedEndpoints: SealedRows = {
  what: 'webhook_endpoints',
  remedy: 'give each a new secret with "majlis rotate-secret --overlap 0s"',
  async list(connection, secretBox, { heads, is_among, after = [firstId, firstId] }) {
    const rows = await selectSealed(connection, [...after, heads, is_among, sealedPageSize]);
    return rows.map(({ workspace_id, id, secret, old_secret }) => ({
      position: [workspace_id, id],
      names: { workspace_id: publicId('workspace', workspace_id), endpoint_id: publicId('webhook_endpoint', id) },
      async reseal(other) {
        const again = resealOpenable(secretBox, secret, secretContext);
        const old_again = old_secret && resealOpenable(secretBox, old_secret, secretContext);
        await updateSealed(other, [workspace_id, id, secret, old_secret, again, old_again]);
      },
    }));
  },
};
