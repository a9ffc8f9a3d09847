import type { Logger } from 'pino';
import type { Connection } from '../database/pool.ts';
import type { SecretBox } from './encrypt.ts';
import { type SealedPlaces, type SealedRows, sealedWithUnknownKeys, walkSealedRows } from './sealed-rows.ts';

interface Needs {
  pool: Connection;
  secretBox: SecretBox;
}

export interface Unopened {
  /** The first ones. */
  names: Readonly<Record<string, string>>[];
  has_more: boolean;
}

const mostNamed = 20;

/** Names the rows whose secrets no key of this process opens. */
export async function findUnopened({ pool, secretBox }: Needs, rows: SealedRows): Promise<Unopened> {
  const names: Unopened['names'] = [];
  for await (const row of walkSealedRows(pool, secretBox, rows, sealedWithUnknownKeys(secretBox))) {
    if (names.length === mostNamed) return { names, has_more: true };
    names.push(row.names);
  }
  return { names, has_more: false };
}

/**
 * Logs at the start what no key opens, in a line for each kind. The service serves on: everything else works, and the remedy
 * needs a running service.
 */
export async function logUnopened(needs: Needs & { log: Logger }, { rows }: SealedPlaces): Promise<void> {
  for (const one of rows) {
    const { names, has_more } = await findUnopened(needs, one);
    if (names.length === 0) continue;
    needs.log.error(
      { [one.what]: names, has_more },
      `neither SECRET_KEY nor SECRET_KEY_OLD opens secrets of ${one.what.replaceAll('_', ' ')}: start with the former key in SECRET_KEY_OLD, or ${one.remedy}`,
    );
  }
}
