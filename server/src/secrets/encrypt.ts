import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

export interface SecretBox {
  /** `context` names the place (table, column, workspace). A value copied to another place does not open there. */
  seal(text: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
  /** A keyed hash, equal for equal texts. It finds a secret by its value. */
  fingerprint(text: string): Buffer;
}

// The sealed form is version (1 byte), nonce (12), tag (16), ciphertext.
const version = 1;
const nonce_bytes = 12;
const tag_bytes = 16;
const head_bytes = 1 + nonce_bytes + tag_bytes;
const cipher_name = 'aes-256-gcm';
// Opening costs 15 µs, a tenth of a dispatch. A cache helps, since each dispatch opens one of a few tokens.
const mostOpened = 1_000;

/**
 * Encrypts webhook secrets and platform tokens with AES-256-GCM and a random nonce. The keys are derived from
 * `secret_key`, one per purpose, so `secret_key` may have any length from 16 bytes.
 */
export function createSecretBox(secret_key: Buffer): SecretBox {
  if (secret_key.length < 16) throw new Error('SECRET_KEY is shorter than 16 bytes');
  const sealing_key = derive(secret_key, 'majlis seal');
  const fingerprint_key = derive(secret_key, 'majlis fingerprint');
  const opened = new Map<string, string>();
  return {
    seal(text, context) {
      const nonce = randomBytes(nonce_bytes);
      const cipher = createCipheriv(cipher_name, sealing_key, nonce).setAAD(associatedData(context));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext]);
    },
    open(sealed, context) {
      const place = `${context} ${sealed.toString('latin1')}`;
      const known = opened.get(place);
      if (known !== undefined) return known;
      const text = unseal(sealed, context);
      if (opened.size >= mostOpened) opened.clear();
      opened.set(place, text);
      return text;
    },
    fingerprint: (text) => createHmac('sha256', fingerprint_key).update(text).digest(),
  };

  function unseal(sealed: Buffer, context: string): string {
    if (sealed.length < head_bytes || sealed[0] !== version) throw unopened(context, 'it is not in a known form');
    const nonce = sealed.subarray(1, 1 + nonce_bytes);
    const decipher = createDecipheriv(cipher_name, sealing_key, nonce, { authTagLength: tag_bytes })
      .setAAD(associatedData(context))
      .setAuthTag(sealed.subarray(1 + nonce_bytes, head_bytes));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(head_bytes)), decipher.final()]).toString('utf8');
    } catch {
      throw unopened(
        context,
        'SECRET_KEY is not the one it was sealed with, or the stored bytes were changed or moved',
      );
    }
  }
}

function derive(secret_key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret_key, '', purpose, 32));
}

function associatedData(context: string): Buffer {
  return Buffer.concat([Buffer.of(version), Buffer.from(context)]);
}

/** The error names the place and never the value (hazard H102). */
function unopened(context: string, reason: string): Error {
  return new Error(`the secret of ${context} cannot be opened: ${reason}`);
}
