import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Dict } from '../world/message.ts';
import type { BusinessAccount } from '../world/number.ts';
import type { World } from '../world/world.ts';
import { accountFor, authenticate } from './authenticate.ts';
import { checkManagementRate } from './check-rates.ts';
import { verifiedOverride } from './number-routes.ts';
import { type PageQuery, pageList, pickFields } from './page-list.ts';
import { numberDefaults, presentNumber } from './present-number.ts';
import { readJson } from './read-body.ts';

type IdRoute = { Params: { id: string }; Querystring: PageQuery & { fields?: string } };

export const appId = '100000000000001';

/** A business account's numbers and webhook subscription (section 0.1). */
export function accountRoutes(app: FastifyInstance, world: World): void {
  const accountOf = (request: FastifyRequest<IdRoute>): BusinessAccount => {
    const token = authenticate(world, request.headers.authorization);
    const account = accountFor(world, token, request.params.id, request.method);
    checkManagementRate(world, account);
    return account;
  };

  app.get<IdRoute>('/:id/phone_numbers', async (request) => {
    const account = accountOf(request);
    const numbers = [...world.numbers.values()].filter((number) => number.waba_id === account.id);
    const resources = numbers.map((number) =>
      pickFields(presentNumber(world, number), request.query.fields, numberDefaults),
    );
    return pageList(resources, request.query, `${world.url}${request.url}`);
  });
  app.get<IdRoute>('/:id/subscribed_apps', async (request) => {
    const account = accountOf(request);
    return { data: account.subscribed ? [subscription(world, account)] : [] };
  });
  app.post<IdRoute>('/:id/subscribed_apps', async (request) => {
    const account = accountOf(request);
    const uri = await verifiedOverride(world, readJson(request.body), world.webhook?.verify_token);
    account.subscribed = true;
    if (uri === undefined) delete account.override_callback_uri;
    else account.override_callback_uri = uri;
    return { success: true };
  });
  app.delete<IdRoute>('/:id/subscribed_apps', async (request) => {
    accountOf(request).subscribed = false;
    return { success: true };
  });
}

function subscription(world: World, account: BusinessAccount): Dict {
  const { override_callback_uri } = account;
  return {
    whatsapp_business_api_data: { id: appId, link: world.url, name: 'Simulated app' },
    ...(override_callback_uri && { override_callback_uri }),
  };
}

export function presentAccount(world: World, account: BusinessAccount): Dict {
  const number = [...world.numbers.values()].find((one) => one.waba_id === account.id);
  return {
    id: account.id,
    name: number?.verified_name ?? 'Business',
    timezone_id: '1',
    currency: 'USD',
    country: 'US',
    account_review_status: 'APPROVED',
    business_verification_status: 'verified',
    message_template_namespace: `namespace_${account.id}`,
  };
}

export const accountDefaults = ['name', 'timezone_id', 'message_template_namespace'];
