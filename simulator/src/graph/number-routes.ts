import type { FastifyInstance, FastifyRequest } from 'fastify';
import { webhookOf } from '../webhooks/callbacks.ts';
import { verifyCallback } from '../webhooks/verify-callback.ts';
import type { Dict } from '../world/message.ts';
import type { BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';
import { authenticate, numberFor } from './authenticate.ts';
import { GraphError, missingParameter } from './graph-error.ts';
import { isRecord } from './is-record.ts';
import { readJson } from './read-body.ts';

type IdRoute = { Params: { id: string } };

/** Registration of a number (section 0.2). */
export function numberRoutes(app: FastifyInstance, world: World): void {
  const numberOf = (request: FastifyRequest<IdRoute>) =>
    numberFor(world, authenticate(world, request.headers.authorization), request.params.id, request.method);

  app.post<IdRoute>('/:id/request_code', async (request) => {
    numberOf(request);
    const { code_method } = readJson(request.body);
    if (code_method !== 'SMS' && code_method !== 'VOICE') throw missingParameter('code_method');
    return { success: true };
  });
  app.post<IdRoute>('/:id/verify_code', async (request) => {
    numberOf(request);
    const { code } = readJson(request.body);
    if (typeof code !== 'string' && typeof code !== 'number') throw missingParameter('code');
    return { success: true };
  });
  app.post<IdRoute>('/:id/register', async (request) => {
    const number = numberOf(request);
    const { pin } = readJson(request.body);
    if (!/^\d{6}$/.test(String(pin))) throw new GraphError(133005);
    countRegistration(world, number);
    number.registered = true;
    world.changes.emit('other', 'numbers');
    return { success: true };
  });
  app.post<IdRoute>('/:id/deregister', async (request) => {
    numberOf(request).registered = false;
    world.changes.emit('other', 'numbers');
    return { success: true };
  });
}

/** At most ten registrations in 72 hours. */
function countRegistration(world: World, number: BusinessNumber): void {
  const now = world.now();
  number.register_calls = number.register_calls.filter((at) => at > now - 72 * 3_600_000);
  if (number.register_calls.length >= 10) throw new GraphError(133016);
  number.register_calls.push(now);
}

/** POST /{phone_number_id}: overrides the number's webhook address (section 0.1). */
export async function updateNumber(world: World, number: BusinessNumber, body: Dict): Promise<Dict> {
  const { webhook_configuration } = body;
  if (!isRecord(webhook_configuration)) throw missingParameter('webhook_configuration');
  const uri = await verifiedOverride(world, webhook_configuration, webhookOf(world, number)?.verify_token);
  if (uri === undefined) delete number.override_callback_uri;
  else number.override_callback_uri = uri;
  return { success: true };
}

/** The address after its verification GET; undefined removes the override. */
export async function verifiedOverride(
  world: World,
  body: Dict,
  known: string | undefined,
): Promise<string | undefined> {
  const { override_callback_uri: uri, verify_token = known ?? '' } = body;
  if (uri === undefined || uri === '') return undefined;
  if (typeof uri !== 'string' || uri.length > 200 || !URL.canParse(uri)) {
    throw new GraphError(100, { message: '(#100) Param override_callback_uri is not a valid URI.' });
  }
  if (!(await verifyCallback(uri, String(verify_token), world.random))) {
    throw new GraphError(2200, {
      http: 400,
      message: '(#2200) Callback verification failed: the URL could not be validated.',
    });
  }
  return uri;
}
