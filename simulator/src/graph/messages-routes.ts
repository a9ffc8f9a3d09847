import type { FastifyInstance } from 'fastify';
import type { Sender } from '../webhooks/sender.ts';
import type { World } from '../world/world.ts';
import { authenticate, numberFor } from './authenticate.ts';
import { markRead } from './mark-read.ts';
import { playFault } from './play-fault.ts';
import { readJson } from './read-body.ts';
import { sendMessage } from './send-message.ts';
import { apiMajor } from './version.ts';

type IdRoute = { Params: { id: string } };

/** POST /{phone_number_id}/messages: sends, read marks and the typing indicator. */
export function messagesRoutes(app: FastifyInstance, world: World, sender: Sender): void {
  app.post<IdRoute>('/:id/messages', async (request, reply) => {
    const token = authenticate(world, request.headers.authorization);
    const number = numberFor(world, token, request.params.id, 'POST');
    const body = readJson(request.body);
    if (body.status !== undefined && body.type === undefined) return markRead(world, number, body);
    const { answer, script, settled } = sendMessage(world, sender, number, body, apiMajor(request.url, world));
    await settled;
    if (script?.effect.kind === 'connection') return playFault(world, reply, script.effect.fault, answer);
    return answer;
  });
}
