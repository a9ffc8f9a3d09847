import type { FastifyInstance } from 'fastify';
import { changeNumber, type NumberChange, type ReachedTier, reachVolumeTier } from '../customer/change-number.ts';
import type { NumberOptions } from '../options.ts';
import { webhookOf } from '../webhooks/callbacks.ts';
import type { Sender } from '../webhooks/sender.ts';
import { verifyCallback } from '../webhooks/verify-callback.ts';
import { addNumber, removeNumber, type World } from '../world/world.ts';
import { ControlError, getNumber } from './control-error.ts';
import { presentControlNumber } from './present.ts';

type IdRoute = { Params: { id: string } };

const required = ['phone_number_id', 'waba_id', 'display_phone', 'verified_name', 'access_token'] as const;

export function numberControl(app: FastifyInstance, world: World, sender: Sender): void {
  app.get('/numbers', async () => [...world.numbers.values()].map(presentControlNumber));
  app.post<{ Body: NumberOptions }>('/numbers', async (request, reply) => {
    const missing = required.filter((name) => typeof request.body?.[name] !== 'string' || request.body[name] === '');
    if (missing.length > 0) throw new ControlError(400, `missing: ${missing.join(', ')}`);
    return reply.code(201).send(presentControlNumber(addNumber(world, request.body)));
  });
  app.get<IdRoute>('/numbers/:id', async (request) => presentControlNumber(getNumber(world, request.params.id)));
  app.patch<IdRoute & { Body: NumberChange }>('/numbers/:id', async (request) => {
    const number = getNumber(world, request.params.id);
    changeNumber(world, sender, number, request.body);
    return presentControlNumber(number);
  });
  app.post<IdRoute & { Body: Partial<ReachedTier> }>('/numbers/:id/volume-tier', async ({ params, body }) => {
    const { tier, pricing_category = 'UTILITY', region = 'Oman' } = body;
    if (typeof tier !== 'string') throw new ControlError(400, 'tier is missing, such as 1000001:5000000');
    reachVolumeTier(world, sender, getNumber(world, params.id), { tier, pricing_category, region });
    return { success: true };
  });
  app.delete<IdRoute>('/numbers/:id', async (request, reply) => {
    getNumber(world, request.params.id);
    removeNumber(world, request.params.id);
    return reply.code(204).send();
  });
  app.post<IdRoute>('/numbers/:id/verify-webhook', async (request) => {
    const webhook = webhookOf(world, getNumber(world, request.params.id));
    if (webhook === undefined) throw new ControlError(409, 'the number has no webhook');
    return { verified: await verifyCallback(webhook.callback_url, webhook.verify_token, world.random) };
  });
}
