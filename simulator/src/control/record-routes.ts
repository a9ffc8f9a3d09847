import type { FastifyInstance } from 'fastify';
import type { Sender } from '../webhooks/sender.ts';
import type { World } from '../world/world.ts';
import { streamChanges } from './stream-changes.ts';

/** Accepted sends, posted webhooks, and the live stream of changes. */
export function recordControl(app: FastifyInstance, world: World, sender: Sender): void {
  app.get<{ Querystring: { from?: string } }>('/ledger', async (request) =>
    world.ledger.read((wamid) => world.messages.get(wamid), Number(request.query.from ?? 0)),
  );
  app.get<{ Querystring: { limit?: string } }>('/deliveries', async (request) =>
    sender.deliveries.latest(Number(request.query.limit ?? 100)),
  );
  app.get('/pending', async () => ({ statuses: world.timers.pending(), webhooks: sender.pending() }));
  app.get('/events', (request, reply) => streamChanges(world, request, reply));
}
