import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Resources } from '../../process/resources.ts';
import { newSecret } from '../new-secret.ts';
import { secretContext, storeRotation } from '../queries.ts';

export interface RotatedSecret {
  /** Only this answer holds it. */
  secret: string;
  /** Until then each delivery is signed with the old secret too. Undefined without an overlap. */
  old_secret_until: Date | undefined;
}

const lockSecret = statement<{ secret: Buffer; old_secret_until: Date | null }>(`
  select secret, old_secret_until from webhook_endpoints
  where workspace_id = $1 and id = $2 and deleted_at is null for no key update`);

/**
 * Gives an endpoint a new secret. A second rotation within the overlap would end the validity of the secret that the receiver
 * still has, so it is refused. A rotation without an overlap is for a secret that leaked.
 */
export async function rotateSecret(
  tx: Transaction,
  { clock, secretBox }: Pick<Resources, 'clock' | 'secretBox'>,
  { workspace_id, id, overlap_seconds }: { workspace_id: string; id: string; overlap_seconds: number },
): Promise<RotatedSecret> {
  const [current] = await lockSecret(tx, [workspace_id, id]);
  if (!current) throw new Refusal('not_found');
  const now = clock.now();
  if (overlap_seconds > 0 && current.old_secret_until && current.old_secret_until > now) {
    const until = current.old_secret_until.toISOString();
    throw new Refusal('unprocessable_content', {
      detail: `The secret was rotated, and the one before is valid until ${until}: rotate after that, or with overlap_seconds 0.`,
    });
  }
  const secret = newSecret();
  const until = overlap_seconds > 0 ? new Date(now.getTime() + overlap_seconds * 1000) : undefined;
  const old = until
    ? { old_secret: current.secret, old_secret_until: until }
    : { old_secret: null, old_secret_until: null };
  await storeRotation(tx, { workspace_id, id, secret: secretBox.seal(secret, secretContext), ...old });
  return { secret, old_secret_until: until };
}
