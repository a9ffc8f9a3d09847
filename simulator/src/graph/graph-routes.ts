import multipart from '@fastify/multipart';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Sender } from '../webhooks/sender.ts';
import type { BusinessAccount } from '../world/number.ts';
import type { World } from '../world/world.ts';
import { accountRoutes } from './account-routes.ts';
import { blockRoutes } from './block-users.ts';
import { GraphError } from './graph-error.ts';
import { binaryRoute, graphMediaRoutes } from './media-routes.ts';
import { messagesRoutes } from './messages-routes.ts';
import { numberRoutes } from './number-routes.ts';
import { objectRoutes } from './object-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { graphTemplateRoutes } from './template-routes.ts';
import { uploadRoutes } from './upload-routes.ts';
import { apiMajor } from './version.ts';

/** The platform's protocol, with or without a version prefix. */
export async function graphRoutes(
  app: FastifyInstance,
  { world, sender }: { world: World; sender: Sender },
): Promise<void> {
  app.removeAllContentTypeParsers();
  await app.register(multipart, { limits: { fileSize: 100 * 1024 * 1024, files: 1 } });
  // Bodies stay raw until the token and the object of the call are checked.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onSend', async (request, reply) => void addHeaders(world, request, reply));
  app.setErrorHandler((error: FastifyError, request, reply) => replyError(world, error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.replace(/\?.*/, '');
    replyError(
      world,
      new GraphError(100, { message: `Unknown path components: ${path}`, subcode: 2500 }),
      request,
      reply,
    );
  });

  const routes = async (scope: FastifyInstance) => {
    messagesRoutes(scope, world, sender);
    graphMediaRoutes(scope, world);
    graphTemplateRoutes(scope, world, sender);
    numberRoutes(scope, world);
    profileRoutes(scope, world);
    accountRoutes(scope, world);
    blockRoutes(scope, world);
    uploadRoutes(scope, world);
    objectRoutes(scope, world, sender);
  };
  binaryRoute(app, world);
  await app.register(routes, { prefix: '/:version(^v\\d+\\.\\d+$)' });
  await app.register(routes);
}

function addHeaders(world: World, request: FastifyRequest, reply: FastifyReply): void {
  const trace = world.random.hex(11);
  reply.header('x-fb-trace-id', trace);
  reply.header('x-fb-request-id', trace);
  reply.header('x-fb-rev', '1030000000');
  reply.header('facebook-api-version', `v${apiMajor(request.url, world)}.0`);
  reply.header('x-app-usage', '{"call_count":1,"total_cputime":1,"total_time":1}');
  const account = world.accounts.get((request.params as { id?: string }).id ?? '');
  if (account !== undefined) reply.header('x-business-use-case-usage', usageOf(world, account));
}

/** Percentages of the hourly limit on management calls (section 0). */
function usageOf(world: World, account: BusinessAccount): string {
  const since = world.now() - 3_600_000;
  const calls = account.management_calls.filter((at) => at > since).length;
  const call_count = Math.min(100, Math.ceil(calls / 50));
  const usage = { type: 'whatsapp', call_count, total_cputime: 1, total_time: 1, estimated_time_to_regain_access: 0 };
  return JSON.stringify({ [account.id]: [usage] });
}

function replyError(
  world: World,
  error: FastifyError | GraphError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const known = error instanceof GraphError ? error : fromFramework(error);
  void reply.code(known.http).send(known.toBody(`A${world.random.hex(22)}`));
  if (known.code === 1) request.log.error(error);
}

function fromFramework(error: FastifyError): GraphError {
  const status = error.statusCode ?? 500;
  if (status < 500) return new GraphError(100, { http: status === 413 ? 413 : 400, details: error.message });
  return new GraphError(1, { http: 500, message: 'An unknown error occurred', details: error.message });
}
