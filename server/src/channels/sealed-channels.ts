import { publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { isOpenable, type SecretBox } from '../secrets/encrypt.ts';
import { firstId, type SealedRow, type SealedRows, sealedPageSize } from '../secrets/sealed-rows.ts';

interface SealedChannel {
  workspace_id: string;
  id: string;
  phone_number_id: string;
  access_token: Buffer;
  app_secret: Buffer;
  app_secret_fingerprint: Buffer;
  verify_token: Buffer;
  verify_token_fingerprint: Buffer;
}

const selectSealed = statement<SealedChannel>(`
  select workspace_id, id, phone_number_id, access_token, app_secret, app_secret_fingerprint, verify_token,
    verify_token_fingerprint
  from channels
  where (workspace_id, id) > ($1, $2) and (
    (substring(access_token for 9) = any ($3::bytea[])) = $4 or (substring(app_secret for 9) = any ($3)) = $4
    or (substring(verify_token for 9) = any ($3)) = $4)
  order by workspace_id, id limit $5`);

const updateSealed = statement(`
  update channels set access_token = $6, app_secret = $7, app_secret_fingerprint = $8, verify_token = $9,
    verify_token_fingerprint = $10
  where workspace_id = $1 and id = $2 and access_token = $3 and app_secret = $4 and verify_token = $5`);

/** The secrets of channels, with the fingerprints that find them. */
export const sealedChannels: SealedRows = {
  what: 'channels',
  remedy: 'apply their workspace files again',
  async list(connection, secretBox, { heads, is_among, after = [firstId, firstId] }) {
    const rows = await selectSealed(connection, [...after, heads, is_among, sealedPageSize]);
    return rows.map((row) => present(row, secretBox));
  },
};

function present(row: SealedChannel, secretBox: SecretBox): SealedRow {
  const { workspace_id, id, phone_number_id } = row;
  return {
    position: [workspace_id, id],
    names: { workspace_id: publicId('workspace', workspace_id), channel_id: publicId('channel', id), phone_number_id },
    reseal: (connection) => reseal(connection, secretBox, row),
  };
}

/** A value that no key opens stays as it is, with its fingerprint. */
async function reseal(connection: Connection, secretBox: SecretBox, row: SealedChannel): Promise<void> {
  const again = (sealed: Buffer, place: string) => {
    const text = isOpenable(secretBox, sealed) ? secretBox.open(sealed, place) : undefined;
    return text === undefined ? undefined : { sealed: secretBox.seal(text, place), hash: secretBox.fingerprint(text) };
  };
  const app_secret = again(row.app_secret, 'channels.app_secret');
  const verify_token = again(row.verify_token, 'channels.verify_token');
  await updateSealed(connection, [
    row.workspace_id,
    row.id,
    row.access_token,
    row.app_secret,
    row.verify_token,
    again(row.access_token, 'channels.access_token')?.sealed ?? row.access_token,
    app_secret?.sealed ?? row.app_secret,
    app_secret?.hash ?? row.app_secret_fingerprint,
    verify_token?.sealed ?? row.verify_token,
    verify_token?.hash ?? row.verify_token_fingerprint,
  ]);
}
