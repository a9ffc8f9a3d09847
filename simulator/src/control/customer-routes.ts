import type { FastifyInstance } from 'fastify';
import { setMarketingPreference } from '../customer/set-marketing-preference.ts';
import { tapButton } from '../customer/tap-button.ts';
import { type CustomerMessage, writeMessage } from '../customer/write-message.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { Customer } from '../world/message.ts';
import type { World } from '../world/world.ts';
import { ControlError, getMessage, getNumber } from './control-error.ts';

type IdRoute = { Params: { id: string } };
type Reply = { type: string; content?: unknown };

/** Actions of the customer: write, answer, tap, react, change the number, stop marketing. */
export function customerControl(app: FastifyInstance, world: World, sender: Sender): void {
  const write = (inbound: CustomerMessage) => {
    if (typeof inbound.from !== 'string' || !/\d{5,}/.test(inbound.from.replace(/\D/g, ''))) {
      throw new ControlError(400, 'from must be a phone number');
    }
    if (typeof inbound.type !== 'string') throw new ControlError(400, 'type is missing');
    if (inbound.type === 'text' && inbound.content === undefined) {
      throw new ControlError(400, 'content is missing: the text, or an object with the text as body');
    }
    if (inbound.at !== undefined && Number.isNaN(new Date(inbound.at).getTime())) {
      throw new ControlError(400, 'at must be milliseconds or an ISO 8601 time');
    }
    const number = getNumber(world, inbound.phone_number_id);
    return { id: writeMessage(world, sender, number, inbound).id };
  };

  app.post<{ Body: CustomerMessage }>('/inbound', async (request, reply) => reply.code(201).send(write(request.body)));
  app.post<IdRoute & { Body: Reply }>('/messages/:id/reply', async (request, reply) => {
    const { id, phone_number_id, wa_id } = getMessage(world, request.params.id);
    return reply.code(201).send(write({ ...request.body, phone_number_id, from: wa_id, context_id: id }));
  });
  app.post<IdRoute & { Body: { index?: number; id?: string } }>('/messages/:id/tap', async (request, reply) => {
    const message = getMessage(world, request.params.id);
    const { id, phone_number_id, wa_id } = message;
    const tap = tapButton(message, { ...request.body, name: world.customers.get(wa_id).name });
    if (tap === undefined) throw new ControlError(409, 'the message has no such button');
    const written = write({ ...tap, phone_number_id, from: wa_id, context_id: id });
    // The platform shows a shared number from then on.
    if (tap.type === 'contacts') world.customers.update(wa_id, { number_hidden: false });
    return reply.code(201).send(written);
  });
  app.post<IdRoute & { Body: { emoji?: string } }>('/messages/:id/react', async (request, reply) => {
    const { id, phone_number_id, wa_id } = getMessage(world, request.params.id);
    const { emoji } = request.body;
    const content = { message_id: id, ...(emoji && { emoji }) };
    return reply.code(201).send(write({ phone_number_id, from: wa_id, type: 'reaction', content }));
  });
  app.patch<{ Params: { wa_id: string }; Body: Partial<Omit<Customer, 'wa_id'>> }>(
    '/customers/:wa_id',
    async (request) => world.customers.update(request.params.wa_id, request.body),
  );
  app.get('/customers', async () => world.customers.known());
  app.post<{ Params: { wa_id: string }; Body: { phone_number_id: string; value: 'stop' | 'resume' } }>(
    '/customers/:wa_id/preference',
    async (request) => {
      const number = getNumber(world, request.body.phone_number_id);
      setMarketingPreference(world, sender, number, request.params.wa_id, request.body.value);
      return { success: true };
    },
  );
  app.post<{ Params: { wa_id: string }; Body: { phone_number_id: string; to: string } }>(
    '/customers/:wa_id/move',
    async (request, reply) => {
      const from = request.params.wa_id;
      const wa_id = request.body.to.replace(/\D/g, '');
      const { name } = world.customers.get(from);
      const body = `User ${name} changed from ${from} to ${wa_id}`;
      const content = { body, wa_id, type: 'user_changed_number' };
      const { phone_number_id } = request.body;
      // The report names the customer by the former user id.
      const written = write({ phone_number_id, from, type: 'system', content });
      world.customers.move(from, wa_id);
      return reply.code(201).send(written);
    },
  );
}
