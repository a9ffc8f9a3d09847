import type { FastifyInstance } from 'fastify';
import type { DiskState } from '../process/disk-space.ts';
import type { Resources } from '../process/resources.ts';
import { metricsRoute } from './metrics-route.ts';

export interface Readiness {
  draining: boolean;
}

const ping = {
  text: `select current_setting('transaction_read_only') = 'on' as is_read_only`,
  values: [],
  query_timeout: 2_000,
};

const diskWords = {
  low: 'at its reserve: no files are taken',
  full: 'full: no files are taken',
  silent: 'it does not answer: no files are taken',
} satisfies Record<Exclude<DiskState, 'roomy'>, string>;

/** Serves the probes of a supervisor: `/healthz`, `/readyz`, and `/metrics` unless it has a port of its own. */
export async function probeRoutes(app: FastifyInstance, resources: Resources, readiness: Readiness): Promise<void> {
  const { pool, disk, config } = resources;

  app.get('/healthz', async () => ({ status: 'alive' }));

  app.get('/readyz', async (_request, reply) => {
    if (readiness.draining) return reply.code(503).send({ status: 'draining' });
    const unready = (status: string) => reply.code(503).send({ status });
    try {
      const [session] = await pool.query<{ is_read_only: boolean }>(ping);
      if (session!.is_read_only) return unready('the database takes no writes');
    } catch {
      return unready('the database does not answer');
    }
    const state = disk.state();
    // A database elsewhere has a disk of its own.
    if (state === 'full' && !config.databaseUrl) return unready('the disk is full');
    return { status: 'ready', ...(state !== 'roomy' && { disk: diskWords[state] }) };
  });

  if (config.metricsPort === undefined) metricsRoute(app, resources);
}
