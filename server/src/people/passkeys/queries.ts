import type { Connection } from '../../database/pool.ts';
import { build, run, runFirst, statement } from '../../database/query.ts';

export interface Passkey {
  id: string;
  person_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

const columns = [
  'id',
  'person_id',
  'credential_id',
  'public_key',
  'counter',
  'transports',
  'name',
  'created_at',
  'last_used_at',
] as const;

export function listPasskeys(connection: Connection, person_id: string): Promise<Passkey[]> {
  return run(connection, build.selectFrom('passkeys').select(columns).where('person_id', '=', person_id).orderBy('id'));
}

export function findPasskey(connection: Connection, credential_id: string): Promise<Passkey | undefined> {
  return runFirst(connection, build.selectFrom('passkeys').select(columns).where('credential_id', '=', credential_id));
}

/** False where the credential is registered already. */
export async function insertPasskey(connection: Connection, passkey: Passkey): Promise<boolean> {
  const query = build
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((on) => on.column('credential_id').doNothing())
    .returning('id');
  return (await run(connection, query)).length > 0;
}

const updateUse = statement<{ id: string }>(`
  update passkeys set counter = $2, last_used_at = $3 where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))
  returning id`);

/** False where the counter has not grown: a copy of the authenticator exists, or another request was faster. */
export async function recordUse(connection: Connection, id: string, counter: number, at: Date): Promise<boolean> {
  return (await updateUse(connection, [id, counter, at])).length > 0;
}

/** False where the person has no such passkey. */
export async function renamePasskey(
  connection: Connection,
  { person_id, id, name }: { person_id: string; id: string; name: string },
): Promise<boolean> {
  const query = build
    .updateTable('passkeys')
    .set({ name })
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .returning('id');
  return (await run(connection, query)).length > 0;
}

export async function deletePasskey(connection: Connection, id: string): Promise<void> {
  await run(connection, build.deleteFrom('passkeys').where('id', '=', id));
}
