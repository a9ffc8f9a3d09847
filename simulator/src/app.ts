import fastify, { type FastifyInstance } from 'fastify';
import { replyControlError } from './control/control-error.ts';
import { controlRoutes } from './control/control-routes.ts';
import { refuseOtherSites } from './control/guard-access.ts';
import { graphRoutes } from './graph/graph-routes.ts';
import { servePage } from './serve-page.ts';
import type { Sender } from './webhooks/sender.ts';
import type { World } from './world/world.ts';

interface BuildApp {
  world: World;
  sender: Sender;
  /** The host that the app will listen on. */
  host: string;
  control_token: string;
}

/** Builds the HTTP app: the platform's protocol, the control API and the page. */
export async function buildSimulatorApp({ world, sender, host, control_token }: BuildApp): Promise<FastifyInstance> {
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: 101 * 1024 * 1024,
    routerOptions: { maxParamLength: 512 },
    // A busy machine takes its time: the limit of 10 s would end a start that goes on.
    pluginTimeout: 0,
  });
  await app.register(async (own) => {
    own.setErrorHandler(replyControlError);
    refuseOtherSites(own, host);
    await own.register(servePage, { control_token });
    await own.register(controlRoutes, { prefix: '/control', world, sender, control_token });
  });
  await app.register(graphRoutes, { world, sender });
  return app;
}
