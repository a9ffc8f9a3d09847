import type { Connection } from '../database/pool.ts';
import { build, runFirst } from '../database/query.ts';

export interface WalletRow {
  balance_minor: number;
  currency: string | null;
}

/** A workspace without a wallet reads as an empty one. */
export async function readWallet(connection: Connection, workspace_id: string): Promise<WalletRow> {
  const query = build
    .selectFrom('wallets')
    .select(['balance_minor', 'currency'])
    .where('workspace_id', '=', workspace_id);
  return (await runFirst(connection, query)) ?? { balance_minor: 0, currency: null };
}
