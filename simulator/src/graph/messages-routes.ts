import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Sender } from '../webhooks/sender.ts';
import type { SendRoute } from '../world/message.ts';
import type { World } from '../world/world.ts';
import { authenticate, numberFor } from './authenticate.ts';
import { markRead } from './mark-read.ts';
import { playFault } from './play-fault.ts';
import { readJson } from './read-body.ts';
import { sendMessage } from './send-message.ts';
import { apiMajor } from './version.ts';

type IdRoute = { Params: { id: string } };

/** POST /{phone_number_id}/messages and /marketing_messages: sends, read marks and the typing indicator. */
export function messagesRoutes(app: FastifyInstance, world: World, sender: Sender): void {
  for (const route of ['messages', 'marketing_messages'] as const) {
    app.post<IdRoute>(`/:id/${route}`, (request, reply) => answer(route, request, reply));
  }

  async function answer(route: SendRoute, request: FastifyRequest<IdRoute>, reply: FastifyReply) {
    const token = authenticate(world, request.headers.authorization);
    const number = numberFor(world, token, request.params.id, 'POST');
    const body = readJson(request.body);
    if (body.status !== undefined && body.type === undefined) return markRead(world, number, body);
    const sent = sendMessage(world, sender, number, body, apiMajor(request.url, world), route);
    const { answer: accepted, script, settled } = sent;
    await settled;
    if (script?.effect.kind === 'connection') return playFault(world, reply, script.effect.fault, accepted);
    return accepted;
  }
}
