import { type AppSecret, findForWebhook, listAppSecrets } from '../channels/queries.ts';
import { coalesce } from '../concurrency/batch.ts';
import { verifySignature } from '../platform/webhook/verify-signature.ts';
import type { Resources } from '../process/resources.ts';
import type { Origins } from './read-origins.ts';

/** The app that signed a notification, and the channel of that app that the notification names. */
export interface Signer {
  app_secret_fingerprint: Buffer;
  channel_id: string | undefined;
}

/**
 * Finds the app secret that verifies the signature over the raw bytes: first among the channels that the notification names,
 * then among all apps, because a number without a channel is no forgery.
 */
export function createFindSigner({ pool, secretBox }: Resources) {
  const findNamed = coalesce((origins: Origins[]) => findForWebhook(pool, origins), { fails_all: () => true });
  const verifies = (raw: Buffer, signature: string | undefined, { app_secret }: AppSecret) =>
    verifySignature(raw, signature, secretBox.open(app_secret, 'channels.app_secret'));

  return async (raw: Buffer, header: string | string[] | undefined, origins: Origins): Promise<Signer | undefined> => {
    const signature = typeof header === 'string' ? header : undefined;
    if (!signature) return undefined;
    const named = (await findNamed(origins)).find((channel) => verifies(raw, signature, channel));
    if (named) return { app_secret_fingerprint: named.app_secret_fingerprint, channel_id: named.id };
    const other = (await listAppSecrets(pool)).find((secret) => verifies(raw, signature, secret));
    return other && { app_secret_fingerprint: other.app_secret_fingerprint, channel_id: undefined };
  };
}
