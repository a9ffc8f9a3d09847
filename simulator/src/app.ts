import fastify, { type FastifyInstance } from 'fastify';
import { controlRoutes } from './control/control-routes.ts';
import { graphRoutes } from './graph/graph-routes.ts';
import { servePage } from './serve-page.ts';
import type { Sender } from './webhooks/sender.ts';
import type { World } from './world/world.ts';

/** Builds the HTTP app: the platform's protocol, the control API and the page. */
export async function buildSimulatorApp(world: World, sender: Sender): Promise<FastifyInstance> {
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: 101 * 1024 * 1024,
    routerOptions: { maxParamLength: 512 },
  });
  await app.register(servePage);
  await app.register(controlRoutes, { prefix: '/control', world, sender });
  await app.register(graphRoutes, { world, sender });
  return app;
}
