import type { FastifyInstance } from 'fastify';
import type { Sender } from '../webhooks/sender.ts';
import type { World } from '../world/world.ts';
import { chatControl } from './chat-routes.ts';
import { crowdControl } from './crowd-routes.ts';
import { customerControl } from './customer-routes.ts';
import { requireToken } from './guard-access.ts';
import { mediaControl } from './media-routes.ts';
import { numberControl } from './number-routes.ts';
import { phoneAppControl } from './phone-app-routes.ts';
import { recordControl } from './record-routes.ts';
import { settingsControl } from './settings-routes.ts';
import { templateControl } from './template-routes.ts';

/** The simulator's own API, outside the platform's protocol. */
export async function controlRoutes(
  app: FastifyInstance,
  { world, sender, control_token }: { world: World; sender: Sender; control_token: string },
): Promise<void> {
  requireToken(app, control_token);
  // A missing body becomes an empty object, so that handlers can destructure it.
  app.addHook('preHandler', async (request) => {
    request.body ??= {};
  });
  numberControl(app, world, sender);
  phoneAppControl(app, world, sender);
  customerControl(app, world, sender);
  chatControl(app, world, sender);
  templateControl(app, world, sender);
  settingsControl(app, world, sender);
  recordControl(app, world, sender);
  mediaControl(app, world);
  crowdControl(app, world, sender);
}
