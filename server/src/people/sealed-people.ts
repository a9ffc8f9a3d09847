import { statement } from '../database/query.ts';
import { resealOpenable } from '../secrets/reseal-openable.ts';
import { firstId, type SealedRows, sealedPageSize } from '../secrets/sealed-rows.ts';
import { totpContext } from './totp.ts';

const selectSealed = statement<{ id: string; totp_secret: Buffer | null }>(`
  select id, totp_secret from people
  where id > $1 and totp_secret is not null and (substring(totp_secret for 9) = any ($2::bytea[])) = $3
  order by id limit $4`);

const updateSealed = statement('update people set totp_secret = $3 where id = $1 and totp_secret = $2');

/** The secrets of authenticator apps. */
export const sealedPeople: SealedRows = {
  what: 'people',
  remedy: 'let them sign in with a recovery code and set up the app anew',
  async list(connection, secretBox, { heads, is_among, after = [firstId] }) {
    const rows = await selectSealed(connection, [...after, heads, is_among, sealedPageSize]);
    return rows.map(({ id, totp_secret }) => ({
      position: [id],
      names: { person_id: id },
      async reseal(other) {
        await updateSealed(other, [id, totp_secret, resealOpenable(secretBox, totp_secret!, totpContext(id))]);
      },
    }));
  },
};
