import { transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import { recordOwnAct } from '../audit.ts';
import { lockOwner, type PersonSession } from '../sessions.ts';
import type { SignInContext } from '../sign-in.ts';
import { deletePasskey, listPasskeys } from './queries.ts';

/** Removes a passkey, but never the last way to sign in. */
export async function removePasskey(
  { pool, clock, config }: SignInContext,
  { session, id, address }: { session: PersonSession; id: string | undefined; address: string },
): Promise<void> {
  const { person_id } = session;
  await transaction(pool, async (tx) => {
    // The lock keeps two removals at once from taking the last two passkeys.
    const person = await lockOwner(tx, session);
    const passkeys = await listPasskeys(tx, person_id);
    const passkey = passkeys.find((one) => one.id === id);
    if (!passkey) throw new Refusal('not_found');
    const hasProvider = config.oidc !== undefined && person.oidc_issuer === config.oidc.issuer;
    if (passkeys.length === 1 && person.password_hash === null && !hasProvider) {
      throw new Refusal('last_sign_in_method');
    }
    await deletePasskey(tx, passkey.id);
    await recordOwnAct(tx, clock, { person_id, action: 'removePasskey', address, details: { name: passkey.name } });
  });
}
