import { type AppSecret, findForWebhook, listAppSecrets, type WebhookNames } from '../channels/queries.ts';
import { coalesce } from '../concurrency/batch.ts';
import { verifySignature } from '../platform/webhook/verify-signature.ts';
import type { Resources } from '../process/resources.ts';
import { isOpenable } from '../secrets/encrypt.ts';

/** The app that signed a notification, and the channel of that app that the notification names. */
export interface Signer {
  app_secret_fingerprint: Buffer;
  channel: { channel_id: string; workspace_id: string } | undefined;
}

// 4 MB are hashed in some 3 ms. A notification names accounts of one app, so the first secret is nearly always the right one.
const hashedBytes = 16 * 1_048_576;
// A notification for a number without a channel is a short one.
const shortBytes = 65_536;

/**
 * Finds the app secret that verifies the signature over the raw bytes among the channels that the notification names. The
 * hashed bytes are bounded, because anyone may send 4 MB with the ids of many accounts.
 */
export function createFindSigner({ pool, secretBox }: Resources) {
  const findNamed = coalesce((names: WebhookNames[]) => findForWebhook(pool, names), { fails_all: () => true });

  function findSecret<Secret extends AppSecret>(raw: Buffer, signature: string, secrets: Secret[]): Secret | undefined {
    const distinct = new Map<string, Secret>();
    for (const secret of secrets) {
      const fingerprint = secret.app_secret_fingerprint.toString('hex');
      if (!distinct.has(fingerprint)) distinct.set(fingerprint, secret);
    }
    const tried = Math.max(1, Math.floor(hashedBytes / (raw.length + 1)));
    return [...distinct.values()]
      .slice(0, tried)
      .filter(({ app_secret }) => isOpenable(secretBox, app_secret))
      .find(({ app_secret }) => verifySignature(raw, signature, secretBox.open(app_secret, 'channels.app_secret')));
  }

  return {
    async amongNamed(raw: Buffer, signature: string, names: WebhookNames): Promise<Signer | undefined> {
      const named = findSecret(raw, signature, await findNamed(names));
      if (!named) return undefined;
      const { app_secret_fingerprint, id, workspace_id } = named;
      return { app_secret_fingerprint, channel: { channel_id: id, workspace_id } };
    },
    /** Among all apps, because a number without a channel is no forgery. */
    async amongAll(raw: Buffer, signature: string): Promise<Signer | undefined> {
      if (raw.length > shortBytes) return undefined;
      const other = findSecret(raw, signature, await listAppSecrets(pool));
      return other && { app_secret_fingerprint: other.app_secret_fingerprint, channel: undefined };
    },
  };
}
