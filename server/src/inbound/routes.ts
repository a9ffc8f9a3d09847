import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setCallbackVerified } from '../channels/queries.ts';
import { groupCommit } from '../database/group-commit.ts';
import { holdBodies } from '../http/body/hold-bodies.ts';
import { countValues } from '../http/body/parse-json.ts';
import { clientAddress } from '../http/connections/client-address.ts';
import { limitFailures } from '../http/limit-failures.ts';
import type { RateLimiter } from '../http/limit-rate/rate-limiter.ts';
import type { Bodies } from '../http/pipeline.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import type { NewJob } from '../jobs/job.ts';
import { joinQueues } from '../jobs/queues.ts';
import { parsePlatformJson } from '../platform/parse-platform-json.ts';
import { readChallenge } from '../platform/webhook/read-challenge.ts';
import { splitBySender } from '../platform/webhook/split-by-sender.ts';
import { isSignature } from '../platform/webhook/verify-signature.ts';
import type { Resources } from '../process/resources.ts';
import { findIds } from './find-ids.ts';
import { createFindSigner, type Signer } from './find-signer.ts';
import { processWebhook, processWebhookJob } from './jobs.ts';
import { createLogRefused } from './log-refused-notifications.ts';
import { readOrigins } from './read-origins.ts';

// The platform sends up to 3 MB; a smaller limit loses events.
const bodyLimit = 4 * 1_048_576;
// A status of a message has some 25 values and 500 bytes. To parse this many values takes some 50 ms.
const maxValues = 250_000;
// Above this size, an address that sends too much without a signature is refused before its body is read.
const largeBytes = 262_144;
// Each part repeats what surrounds its items. No notification of the platform grows that much.
const maxGrowth = 8;
const config = { measured_as: 'platform_webhook' };

/** A notification, or its part about one customer. */
interface NewNotification {
  job: NewJob;
  former_queue_keys: string[];
}

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
  // The platform sends many small notifications at once. Concurrent ones share a commit.
  const store = groupCommit(
    pool,
    async (tx, notifications: NewNotification[][]) => {
      const parts = notifications.flat();
      await enqueueJobs(
        tx,
        parts.map(({ job }) => job),
      );
      // A change of number runs after the jobs of the old number and before those of the new one.
      for (const { job, former_queue_keys } of parts) {
        if (former_queue_keys.length > 0) await joinQueues(tx, processWebhook, former_queue_keys, job.queue_key!);
      }
      return notifications;
    },
    { tenant_of: ([part]) => part?.job.group_id ?? '' },
  );

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
    const signer = await getSigner(raw, request);
    if (countValues(raw) > maxValues) {
      throw new Refusal('unprocessable_content', { detail: `The body has more than ${maxValues} values.` });
    }
    // Decoded once, so that the stored text is the text read here.
    const text = new TextDecoder().decode(raw);
    const body = tryParse(text);
    if (body === undefined) throw new Refusal('unprocessable_content', { detail: 'The body is not JSON.' });
    if (signer.channel_id === undefined) {
      log.warn(readOrigins(body), 'a notification for a number that no channel has was left aside');
    } else {
      const signed_by = signer.app_secret_fingerprint.toString('hex');
      const common = { signed_by, group_id: signer.channel_id, run_at: clock.now() };
      const parts = splitText(body, text).map(({ part, stored }): NewNotification => {
        const { queue_key, former_queue_keys } = readOrigins(part);
        return { job: processWebhookJob({ ...common, body: stored, queue_key }), former_queue_keys };
      });
      await store(parts);
    }
    return reply.code(200).type('text/plain').send('');
  });
}

/** The parts about one customer each, with their texts; the whole where the parts would be much longer. */
function splitText(body: unknown, text: string): { part: unknown; stored: string }[] {
  // Nearly every notification is about one customer, and is stored unchanged.
  const whole = [{ part: body, stored: text }];
  const parts = splitBySender(body);
  if (parts.length === 1) return whole;
  const split = [];
  let length = 0;
  for (const part of parts) {
    const stored = JSON.stringify(part);
    length += stored.length;
    if (length > maxGrowth * text.length) return whole;
    split.push({ part, stored });
  }
  return split;
}

function unsigned(): Refusal {
  return new Refusal('unauthorized', { detail: 'The signature does not verify.' });
}

function tryParse(text: string): unknown {
  try {
    return parsePlatformJson(text);
  } catch {
    return undefined;
  }
}
