import Fastify, { type FastifyInstance } from 'fastify';
import { statement } from '../database/query.ts';
import { forgetBody } from '../http/body/forget-body.ts';
import { createBearerCheck } from '../http/check-bearer.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { replyError } from '../http/reply/reply-error.ts';
import { CannotRun } from '../process/cannot-run.ts';
import type { Resources } from '../process/resources.ts';

const readQueues = statement<{ kind: string; depth: number; age_seconds: number }>(`
  select kind, count(*) as depth,
    greatest(0, coalesce(extract(epoch from $1::timestamptz - min(run_at)), 0))::float8 as age_seconds
  from jobs group by kind`);

type MetricsResources = Pick<Resources, 'config' | 'pool' | 'clock' | 'metrics' | 'disk'>;

/** Serves `/metrics`, with METRICS_TOKEN to its bearer alone. */
export function metricsRoute(app: FastifyInstance, { config, pool, clock, metrics, disk }: MetricsResources): void {
  const isAllowed = config.metricsToken === undefined ? () => true : createBearerCheck(config.metricsToken);

  app.get('/metrics', async (request, reply) => {
    if (!isAllowed(request.headers.authorization)) {
      throw new Refusal('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });
    }
    const queues = await readQueues(pool, [clock.now()]).catch(() => []);
    metrics.queueDepth.reset();
    metrics.queueAge.reset();
    for (const { kind, depth, age_seconds } of queues) {
      metrics.queueDepth.set({ kind }, depth);
      metrics.queueAge.set({ kind }, age_seconds);
    }
    metrics.diskFree.set(disk.free_bytes());
    metrics.diskReserve.set(disk.reserve_bytes());
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

/** Serves `/metrics` on METRICS_PORT, so that a network can keep it apart. */
export async function openMetricsListener(port: number, resources: MetricsResources): Promise<FastifyInstance> {
  const { host } = resources.config;
  const app = Fastify();
  app.addHook('onRequest', async (request) => forgetBody(request));
  app.setErrorHandler(replyError);
  metricsRoute(app, resources);
  await app.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    throw new CannotRun(`METRICS_PORT ${port} cannot be used on ${host} (${error.code})`);
  });
  return app;
}
