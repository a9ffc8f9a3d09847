import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setCallbackVerified } from '../channels/queries.ts';
import { refuseTooHeavy } from '../http/body/check-in-thread.ts';
import { holdBodies } from '../http/body/hold-bodies.ts';
import { clientAddress } from '../http/connections/client-address.ts';
import { limitFailures } from '../http/limit-failures.ts';
import type { RateLimiter } from '../http/limit-rate/rate-limiter.ts';
import type { Bodies } from '../http/pipeline.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { parseNotification } from '../platform/webhook/parse-notification.ts';
import { readChallenge } from '../platform/webhook/read-challenge.ts';
import { isSignature } from '../platform/webhook/verify-signature.ts';
import type { Resources } from '../process/resources.ts';
import { divideByNumber } from './divide-by-number.ts';
import { findIds } from './find-ids.ts';
import { createFindSigner, type Signer } from './find-signer.ts';
import { smallBytes } from './jobs.ts';
import type { ReadNotification } from './large-notification-thread.ts';
import { readLarge } from './large-notifications.ts';
import { createLogRefused } from './log-refused-notifications.ts';
import { readOrigins } from './read-origins.ts';
import { splitNotification } from './split-notification.ts';
import { type ArrivedNotification, createStoreNotifications } from './store-notifications.ts';

// The platform sends up to 3 MB; a smaller limit loses events.
const bodyLimit = 4 * 1_048_576;
// The shortest messages and profiles of the platform have some 12 bytes a value, so none has more values.
const maxValues = 500_000;
// Above this size, an address that sends too much without a signature is refused before its body is read.
const largeBytes = 262_144;
// Notifications with more parts are stored whole, because concurrent small ones share a statement.
const fewParts = 16;
const config = { measured_as: 'platform_webhook' };

interface InboundRoutes {
  resources: Resources;
  limiter: RateLimiter;
  bodies: Bodies;
}

/** The routes that the platform calls: its verification challenge and its notifications. */
export async function inboundRoutes(
  app: FastifyInstance,
  { resources, limiter, bodies }: InboundRoutes,
): Promise<void> {
  const { pool, clock, secretBox, log } = resources;
  const limitUnsigned = limitFailures(limiter, 'unsigned');
  const findSigner = createFindSigner(resources);
  const logRefused = createLogRefused(log);
  const store = createStoreNotifications(pool, () => clock.now());

  app.removeAllContentTypeParsers();
  holdBodies(app, { ...bodies, ownerOf: ({ ip }) => clientAddress(ip) });
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer', bodyLimit }, (_request, raw, done) => done(null, raw));

  app.get('/chatapp/webhook', { config }, async (request, reply) => {
    const asked = readChallenge(request.url.split('?')[1] ?? '');
    const known = asked && (await setCallbackVerified(pool, secretBox.fingerprints(asked.verify_token), clock.now()));
    if (!known) return reply.code(403).type('text/plain').send('');
    return reply.type('text/plain').send(asked.challenge);
  });

  async function refuseUnread({ headers, ip }: FastifyRequest): Promise<void> {
    if (!isSignature(headers['x-hub-signature-256'])) {
      logRefused({ waba_ids: [], phone_number_ids: [] });
      throw (await limitUnsigned.count(ip)) ?? unsigned();
    }
    const isLarge = !(Number(headers['content-length']) <= largeBytes);
    const refusal = isLarge && (await limitUnsigned.peek(ip));
    if (refusal) throw refusal;
  }

  async function getSigner(raw: Buffer, { headers, ip }: FastifyRequest): Promise<Signer> {
    const signature = headers['x-hub-signature-256'] as string;
    const names = findIds(raw);
    const named = await findSigner.amongNamed(raw, signature, names);
    if (named) return named;
    const other = (await limitUnsigned.peek(ip)) ? undefined : await findSigner.amongAll(raw, signature);
    if (other) return other;
    logRefused(names);
    throw (await limitUnsigned.count(ip)) ?? unsigned();
  }

  app.post('/chatapp/webhook', { bodyLimit, config, onRequest: refuseUnread }, async (request, reply) => {
    const raw = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
    const { app_secret_fingerprint, channel } = await getSigner(raw, request);
    const { names, of_numbers, parts } = await read(raw, channel?.channel_id);
    if (!channel) log.warn(names, 'a notification for a number that no channel has was left aside');
    else {
      const signed_by = app_secret_fingerprint.toString('hex');
      await store({ signer: { signed_by, ...channel }, of_numbers, parts });
    }
    return reply.code(200).type('text/plain').send('');
  });
}

type Read = ReadNotification & Pick<ArrivedNotification, 'parts'>;

async function read(raw: Buffer, channel_id = ''): Promise<Read> {
  if (raw.length <= smallBytes) return readSmall(raw);
  const large = await readLarge(channel_id, raw, maxValues).catch(refuseTooHeavy);
  if (large === 'not JSON') throw notJson();
  if (large === 'too many values') {
    throw new Refusal('unprocessable_content', { detail: `The body has more than ${maxValues} values.` });
  }
  return { ...large, parts: undefined };
}

function readSmall(raw: Buffer): Read {
  // Decoded once, so that the stored text is the text read here.
  const text = new TextDecoder().decode(raw);
  const body = tryParse(text);
  if (body === undefined) throw notJson();
  const { waba_ids, phone_number_ids } = readOrigins(body);
  const parts = splitNotification(body, text);
  const names = { waba_ids, phone_number_ids };
  return { names, of_numbers: divideByNumber(body, text), parts: parts.length <= fewParts ? parts : undefined };
}

function notJson(): Refusal {
  return new Refusal('unprocessable_content', { detail: 'The body is not JSON.' });
}

function unsigned(): Refusal {
  return new Refusal('unauthorized', { detail: 'The signature does not verify.' });
}

function tryParse(text: string): unknown {
  try {
    return parseNotification(text);
  } catch {
    return undefined;
  }
}
