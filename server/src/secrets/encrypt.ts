import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

export interface SecretBox {
  /** `context` names the place (table, column, workspace). A value copied to another place does not open there. */
  seal(text: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
  /** A keyed hash, equal for equal texts. It finds a secret by its value. */
  fingerprint(text: string): Buffer;
  /** The fingerprints with the present key and with each old one. A stored fingerprint is one of them during a rotation. */
  fingerprints(text: string): Buffer[];
  /** The first bytes of each value that the present key sealed, and of those that old keys sealed. */
  heads: { present: Buffer; old: readonly Buffer[] };
}

// The sealed form is version (1 byte), id of the key (8), nonce (12), tag (16), ciphertext.
const version = 1;
const key_id_bytes = 8;
export const head_bytes = 1 + key_id_bytes;
const nonce_bytes = 12;
const tag_bytes = 16;
const text_at = head_bytes + nonce_bytes + tag_bytes;
const cipher_name = 'aes-256-gcm';
// Opening costs 15 µs, a tenth of a dispatch. A cache helps, since each dispatch opens one of a few tokens.
const mostOpened = 1_000;

interface Keys {
  sealing_key: Buffer;
  fingerprint_key: Buffer;
  /** The id lets a statement find what a key sealed, without opening it. */
  head: Buffer;
}

/**
 * Encrypts webhook secrets and platform tokens with AES-256-GCM and a random nonce. The keys are derived from
 * `secret_key`, one per purpose, so `secret_key` may have any length from 16 bytes. Old keys open and seal nothing new.
 */
export function createSecretBox(secret_key: Buffer, old_secret_keys: readonly Buffer[] = []): SecretBox {
  const present = deriveKeys(secret_key);
  const old = old_secret_keys.map(deriveKeys).filter(({ head }) => !head.equals(present.head));
  const all = [present, ...old];
  const opened = new Map<string, string>();
  const hash = (text: string, { fingerprint_key }: Keys) => createHmac('sha256', fingerprint_key).update(text).digest();
  return {
    seal(text, context) {
      const nonce = randomBytes(nonce_bytes);
      const cipher = createCipheriv(cipher_name, present.sealing_key, nonce).setAAD(associatedData(context));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([present.head, nonce, cipher.getAuthTag(), ciphertext]);
    },
    open(sealed, context) {
      const place = `${context} ${sealed.toString('latin1')}`;
      const known = opened.get(place);
      if (known !== undefined) return known;
      const text = unseal(all, sealed, context);
      if (opened.size >= mostOpened) opened.clear();
      opened.set(place, text);
      return text;
    },
    fingerprint: (text) => hash(text, present),
    fingerprints: (text) => all.map((keys) => hash(text, keys)),
    heads: { present: present.head, old: old.map(({ head }) => head) },
  };
}

/** Whether a key of the box sealed the value. */
export function isOpenable({ heads }: Pick<SecretBox, 'heads'>, sealed: Buffer): boolean {
  return [heads.present, ...heads.old].some((head) => head.equals(sealed.subarray(0, head_bytes)));
}

function unseal(all: readonly Keys[], sealed: Buffer, context: string): string {
  if (sealed.length < text_at || sealed[0] !== version) throw unopened(context, 'it is not in a known form');
  const keys = all.find(({ head }) => head.equals(sealed.subarray(0, head_bytes)));
  if (!keys) throw unopened(context, otherKey);
  const nonce = sealed.subarray(head_bytes, head_bytes + nonce_bytes);
  const decipher = createDecipheriv(cipher_name, keys.sealing_key, nonce, { authTagLength: tag_bytes })
    .setAAD(associatedData(context))
    .setAuthTag(sealed.subarray(head_bytes + nonce_bytes, text_at));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(text_at)), decipher.final()]).toString('utf8');
  } catch {
    throw unopened(context, otherKey);
  }
}

const otherKey = 'SECRET_KEY is not the one it was sealed with, or the stored bytes were changed or moved';

function deriveKeys(secret_key: Buffer): Keys {
  if (secret_key.length < 16) throw new Error('SECRET_KEY is shorter than 16 bytes');
  const id = derive(secret_key, 'majlis key id').subarray(0, key_id_bytes);
  return {
    sealing_key: derive(secret_key, 'majlis seal'),
    fingerprint_key: derive(secret_key, 'majlis fingerprint'),
    head: Buffer.concat([Buffer.of(version), id]),
  };
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
