import type { FastifyInstance } from 'fastify';
import { verifyTokenExists } from '../channels/queries.ts';
import { groupCommit } from '../database/group-commit.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import type { NewJob } from '../jobs/job.ts';
import { joinQueues } from '../jobs/queues.ts';
import { parsePlatformJson } from '../platform/parse-platform-json.ts';
import { readChallenge } from '../platform/webhook/read-challenge.ts';
import { splitBySender } from '../platform/webhook/split-by-sender.ts';
import type { Resources } from '../process/resources.ts';
import { createFindSigner } from './find-signer.ts';
import { processWebhook, processWebhookJob } from './jobs.ts';
import { createLogRefused } from './log-refused-notifications.ts';
import { readOrigins } from './read-origins.ts';

// The platform sends up to 3 MB; a smaller limit loses events.
const bodyLimit = 4 * 1_048_576;
const config = { measured_as: 'platform_webhook' };

/** A notification, or its part about one customer. */
interface NewNotification {
  job: NewJob;
  former_queue_keys: string[];
}

/** The routes that the platform calls: its verification challenge and its notifications. */
export async function inboundRoutes(app: FastifyInstance, resources: Resources): Promise<void> {
  const { pool, clock, secretBox, log } = resources;
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
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer', bodyLimit }, (_request, raw, done) => done(null, raw));

  app.get('/chatapp/webhook', { config }, async (request, reply) => {
    const asked = readChallenge(request.url.split('?')[1] ?? '');
    const known = asked && (await verifyTokenExists(pool, secretBox.fingerprint(asked.verify_token)));
    if (!known) return reply.code(403).type('text/plain').send('');
    return reply.type('text/plain').send(asked.challenge);
  });

  app.post('/chatapp/webhook', { bodyLimit, config }, async (request, reply) => {
    const raw = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
    // Decoded once, so that the stored text is the text read here.
    const text = new TextDecoder().decode(raw);
    const body = tryParse(text);
    const origins = readOrigins(body);
    const signer = await findSigner(raw, request.headers['x-hub-signature-256'], origins);
    if (!signer) {
      logRefused(origins);
      throw new Refusal('unauthorized', { detail: 'The signature does not verify.' });
    }
    if (body === undefined) throw new Refusal('unprocessable_content', { detail: 'The body is not JSON.' });
    if (signer.channel_id === undefined) {
      log.warn(origins, 'a notification for a number that no channel has was left aside');
    } else {
      const signed_by = signer.app_secret_fingerprint.toString('hex');
      const common = { signed_by, group_id: signer.channel_id, run_at: clock.now() };
      const parts = splitBySender(body).map((part): NewNotification => {
        // Nearly every notification is about one customer, and is stored unchanged.
        const [stored, { queue_key, former_queue_keys }] =
          part === body ? [text, origins] : [JSON.stringify(part), readOrigins(part)];
        return { job: processWebhookJob({ ...common, body: stored, queue_key }), former_queue_keys };
      });
      await store(parts);
    }
    return reply.code(200).type('text/plain').send('');
  });
}

function tryParse(text: string): unknown {
  try {
    return parsePlatformJson(text);
  } catch {
    return undefined;
  }
}
