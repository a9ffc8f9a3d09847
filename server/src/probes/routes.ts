import type { FastifyInstance } from 'fastify';
import { statement } from '../database/query.ts';
import type { Resources } from '../process/resources.ts';

export interface Readiness {
  draining: boolean;
}

const ping = { text: 'select 1', values: [], query_timeout: 2_000 };
const readQueues = statement<{ kind: string; depth: number; age_seconds: number }>(`
  select kind, count(*) as depth,
    greatest(0, coalesce(extract(epoch from $1::timestamptz - min(run_at)), 0))::float8 as age_seconds
  from jobs group by kind`);

/** Serves the probes of a supervisor: `/healthz`, `/readyz` and `/metrics`. */
export async function probeRoutes(app: FastifyInstance, resources: Resources, readiness: Readiness): Promise<void> {
  const { pool, clock, metrics } = resources;

  app.get('/healthz', async () => ({ status: 'alive' }));

  app.get('/readyz', async (_request, reply) => {
    if (readiness.draining) return reply.code(503).send({ status: 'draining' });
    try {
      await pool.query(ping);
      return { status: 'ready' };
    } catch {
      return reply.code(503).send({ status: 'the database does not answer' });
    }
  });

  app.get('/metrics', async (_request, reply) => {
    const queues = await readQueues(pool, [clock.now()]).catch(() => []);
    metrics.queueDepth.reset();
    metrics.queueAge.reset();
    for (const { kind, depth, age_seconds } of queues) {
      metrics.queueDepth.set({ kind }, depth);
      metrics.queueAge.set({ kind }, age_seconds);
    }
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}
