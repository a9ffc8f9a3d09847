import type { EventData } from './api.generated.ts';
import { MajlisError } from './errors.ts';

/** The envelope of an event. */
export interface EventOf<Type extends string, Data> {
  /** The same on every attempt: an event may arrive more than once. */
  id: string;
  type: Type;
  /** ISO 8601. Events may arrive out of order: compare it before you overwrite newer state. */
  created_at: string;
  workspace_id: string;
  api_version: string;
  data: Data;
}

/** An event of any type. `switch (event.type)` narrows `event.data`. */
export type MajlisEvent = { [Type in keyof EventData]: EventOf<Type, EventData[Type]> }[keyof EventData];

export type EventType = keyof EventData;

/** The headers of a request: those of the web standard, of Node.js, or of a plain object. */
export type IncomingHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The request is not an event that this endpoint should get. Answer it with 401. */
export class WebhookError extends MajlisError {
  override readonly name = 'WebhookError';
  readonly reason: 'no_signature' | 'wrong_signature' | 'too_old' | 'no_event';

  constructor(reason: WebhookError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface UnwrapOptions {
  /** How far the time of the signature may be from now. 300 by default. */
  tolerance_seconds?: number | undefined;
}

const header = 'service-signature';

/**
 * Verifies a webhook request and returns its event. `rawBody` has the bytes as they came: parsed and serialised JSON has other
 * ones. Several secrets are for the time in which a secret is replaced.
 */
export async function unwrap(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: IncomingHeaders,
  secret: string | readonly string[],
  { tolerance_seconds = 300 }: UnwrapOptions = {},
): Promise<MajlisEvent> {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0 || secrets.some((key) => !key))
    throw new TypeError('The secret of the endpoint is missing.');
  const { t, digests } = readSignature(headers);
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : new Uint8Array(rawBody);
  const signed = join(new TextEncoder().encode(`${t}.`), body);
  // Each pair is verified, also behind the right one, so that the time tells nothing.
  let isGenuine = false;
  for (const key of secrets) {
    const imported = await importKey(key);
    for (const digest of digests) {
      isGenuine = (await crypto.subtle.verify('HMAC', imported, digest, signed)) || isGenuine;
    }
  }
  if (!isGenuine) throw new WebhookError('wrong_signature', 'No signature of the request fits the secret.');
  if (Math.abs(Date.now() / 1000 - t) > tolerance_seconds) {
    throw new WebhookError('too_old', 'The signature is too old. A replayed request, or a clock that is wrong?');
  }
  return readEvent(body);
}

function readSignature(headers: IncomingHeaders): { t: number; digests: Uint8Array<ArrayBuffer>[] } {
  const parts = (valueIn(headers) ?? '').split(',').map((part) => part.trim().split('='));
  const t = Number(parts.find(([name]) => name === 't')?.[1]);
  const digests = parts.flatMap(([name, value]) => (name === 'v1' ? (bytesOf(value) ?? []) : []));
  if (!Number.isSafeInteger(t) || digests.length === 0) {
    throw new WebhookError('no_signature', 'The request has no header Service-Signature in the form t=…,v1=….');
  }
  return { t, digests };
}

function valueIn(headers: IncomingHeaders): string | undefined {
  if (typeof headers.get === 'function') return (headers as Headers).get(header) ?? undefined;
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === header) ?? [];
  return Array.isArray(value) ? value.join() : (value as string | undefined);
}

function bytesOf(hex: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  if (!hex || !/^[0-9a-f]{64}$/i.test(hex)) return undefined;
  return Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16));
}

function importKey(secret: string) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify']);
}

function join(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}

function readEvent(body: Uint8Array): MajlisEvent {
  try {
    const event = JSON.parse(new TextDecoder().decode(body));
    if (typeof event?.type === 'string' && typeof event.id === 'string') return event;
  } catch {}
  throw new WebhookError('no_event', 'The body of the request is no event.');
}
