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
import { readOrigins } from './read-origins.ts';
import { createTellRefused } from './tell-refused.ts';

// The platform sends up to 3 MB; a smaller limit loses events.
const bodyLimit = 4 * 1_048_576;
const config = { measured_as: 'platform_webhook' };

/** A notification, or what one has of one customer. */
interface Stored {
  job: NewJob;
  former_queue_keys: string[];
}

/** The platform's door: its verification challenge, and its notifications. */
export async function inboundRoutes(app: FastifyInstance, resources: Resources): Promise<void> {
  const { pool, clock, secretBox, log } = resources;
  const findSigner = createFindSigner(resources);
  const tellRefused = createTellRefused(log);
  // Floods come in many small notifications: those that arrive together are stored in one commit.
  const store = groupCommit(
    pool,
    async (tx, notifications: Stored[][]) => {
      const stored = notifications.flat();
      await enqueueJobs(
        tx,
        stored.map(({ job }) => job),
      );
      // A new number is told of behind what came from the old one, and before what comes from the new one.
      for (const { job, former_queue_keys } of stored) {
        if (former_queue_keys.length > 0) await joinQueues(tx, processWebhook, former_queue_keys, job.queue_key!);
      }
      return notifications;
    },
    { tenant_of: ([stored]) => stored?.job.group_id ?? '' },
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
    // Decoded once: what is read here is what is stored and read again.
    const text = new TextDecoder().decode(raw);
    const body = tryParse(text);
    const origins = readOrigins(body);
    const signer = await findSigner(raw, request.headers['x-hub-signature-256'], origins);
    if (!signer) {
      tellRefused(origins);
      throw new Refusal('unauthorized', { detail: 'The signature does not verify.' });
    }
    if (body === undefined) throw new Refusal('unprocessable_content', { detail: 'The body is not JSON.' });
    if (signer.channel_id === undefined) {
      log.warn(origins, 'a notification for a number that no channel has was left aside');
    } else {
      const signed_by = signer.app_secret_fingerprint.toString('hex');
      const common = { signed_by, group_id: signer.channel_id, run_at: clock.now() };
      const parts = splitBySender(body).map((part): Stored => {
        // As it came, where it is about one customer: nearly always.
        const [stored, of] = part === body ? [text, origins] : [JSON.stringify(part), readOrigins(part)];
        const { queue_key, former_queue_keys } = of;
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
