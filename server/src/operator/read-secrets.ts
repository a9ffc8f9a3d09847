import type { Resources } from '../process/resources.ts';
import { findUnopened, type Unopened } from '../secrets/name-unopened.ts';
import { isOldKeyInUse } from '../secrets/reseal-secrets.ts';
import type { SealedPlaces } from '../secrets/sealed-rows.ts';

interface SecretsState {
  /** While it is true, SECRET_KEY_OLD must stay. */
  old_key_in_use: boolean;
  /** By kind, what no key of this process opens. */
  unopened: Record<string, Unopened>;
}

/** The state of the sealed secrets, for the operator who rotates SECRET_KEY. */
export async function readSecrets(
  resources: Pick<Resources, 'pool' | 'secretBox'>,
  places: SealedPlaces,
): Promise<SecretsState> {
  const unopened: SecretsState['unopened'] = {};
  for (const rows of places.rows) {
    const found = await findUnopened(resources, rows);
    if (found.names.length > 0) unopened[rows.what] = found;
  }
  return { old_key_in_use: await isOldKeyInUse(resources, places), unopened };
}
