import type { VolumeTier } from '@majlis/console-api';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';

/** The platform's report of a tier that an account has reached. */
export interface ReachedTier {
  workspace_id: string;
  waba_id: string;
  category: string;
  region: string;
  tier: string;
  effective_month?: string | undefined;
  updated_at: Date;
}

// Two tiers of one second, as one large broadcast may reach them: the one of the later month, then the higher one.
const rank = (row: string) =>
  `(${row}.updated_at, coalesce(${row}.effective_month, ''), length(split_part(${row}.tier, ':', 1)), ${row}.tier)`;

const upsert = statement(`
  insert into volume_tiers as v (workspace_id, waba_id, category, region, tier, effective_month, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (workspace_id, waba_id, category, region) do update
    set tier = excluded.tier, effective_month = excluded.effective_month, updated_at = excluded.updated_at
    where ${rank('v')} < ${rank('excluded')}`);

/** Stores the tier, unless a later one is known. */
export async function storeVolumeTier(tx: Transaction, reached: ReachedTier): Promise<void> {
  const { workspace_id, waba_id, category, region, tier, effective_month = null, updated_at } = reached;
  await upsert(tx, [workspace_id, waba_id, category, region, tier, effective_month, updated_at]);
}

// An account has few categories, and some 200 markets.
const mostTiers = 500;
const select = statement<Omit<ReachedTier, 'workspace_id' | 'effective_month'> & { effective_month: string | null }>(`
  select waba_id, category, region, tier, effective_month, updated_at from volume_tiers
  where workspace_id = $1 order by waba_id, category, region limit ${mostTiers}`);

export async function listVolumeTiers(connection: Connection, workspace_id: string): Promise<VolumeTier[]> {
  const rows = await select(connection, [workspace_id]);
  return rows.map(({ tier, effective_month, updated_at, ...of }) => {
    const [from_count, to_count] = tier.split(':').map(toCount);
    return {
      ...of,
      ...(from_count !== undefined && { from_count }),
      ...(to_count !== undefined && { to_count }),
      ...(effective_month !== null && { effective_month }),
      updated_at: updated_at.toISOString(),
    };
  });
}

/** A number of messages; undefined for one without a limit. */
function toCount(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
