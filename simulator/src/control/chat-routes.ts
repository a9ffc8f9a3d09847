import type { FastifyInstance } from 'fastify';
import { clickLink, type PaymentState, reportPayment } from '../customer/act-on-message.ts';
import { answerAsAgent, handOver } from '../customer/business-agent.ts';
import { callBusiness } from '../customer/call-business.ts';
import type { Step } from '../webhooks/plan-statuses.ts';
import { reportStatus } from '../webhooks/report-status.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { Dict } from '../world/message.ts';
import type { World } from '../world/world.ts';
import { ControlError, getMessage, getNumber } from './control-error.ts';
import { presentChat, presentChatMessage } from './present.ts';

type ChatRoute = { Params: { phone_number_id: string; wa_id: string } };
type IdRoute = { Params: { id: string } };

const statuses: Step['status'][] = ['sent', 'delivered', 'read', 'played', 'failed'];

/** Reads chats and messages, and changes statuses by hand. */
export function chatControl(app: FastifyInstance, world: World, sender: Sender): void {
  app.get<{ Querystring: { limit?: string } }>('/conversations', async (request) => {
    const latestFirst = [...world.conversations.all()]
      .filter((one) => one.wa_id !== '')
      .sort((a, b) => b.last_at - a.last_at);
    return latestFirst.slice(0, Number(request.query.limit ?? 100)).map((one) => presentChat(world, one));
  });
  app.get<ChatRoute>('/conversations/:phone_number_id/:wa_id', async (request) => {
    const { phone_number_id, wa_id } = request.params;
    const conversation = world.conversations.getOrMake(phone_number_id, wa_id, 0);
    const messages = world.messages.ofChat(phone_number_id, wa_id).slice(-300);
    return { ...presentChat(world, conversation), messages: messages.map((one) => presentChatMessage(world, one)) };
  });
  app.post<ChatRoute>('/conversations/:phone_number_id/:wa_id/read', async (request) => {
    const { phone_number_id, wa_id } = request.params;
    const unread = world.messages
      .ofChat(phone_number_id, wa_id)
      .filter(
        (one) =>
          one.direction === 'outbound' &&
          (one.status === 'sent' || one.status === 'delivered') &&
          one.type !== 'reaction',
      );
    await Promise.all(unread.map((one) => reportStatus(world, sender, one, { after_ms: 0, status: 'read' })));
    return { read: unread.length };
  });

  app.post<ChatRoute & { Body: { to: 'agent' | 'business' } }>(
    '/conversations/:phone_number_id/:wa_id/handover',
    async ({ params, body: { to } }) => {
      if (to !== 'agent' && to !== 'business') throw new ControlError(400, 'to must be agent or business');
      handOver(world, sender, getNumber(world, params.phone_number_id), params.wa_id, to);
      return { success: true };
    },
  );
  app.post<ChatRoute & { Body: { text: string } }>(
    '/conversations/:phone_number_id/:wa_id/agent-message',
    async ({ params, body: { text } }, reply) => {
      if (typeof text !== 'string' || text === '') throw new ControlError(400, 'text is missing');
      const number = getNumber(world, params.phone_number_id);
      return reply.code(201).send({ id: answerAsAgent(world, sender, number, params.wa_id, text).id });
    },
  );

  app.post<ChatRoute & { Body: { seconds?: number } }>(
    '/conversations/:phone_number_id/:wa_id/call',
    async ({ params, body: { seconds = 0 } }, reply) => {
      if (!Number.isInteger(seconds) || seconds < 0) throw new ControlError(400, 'seconds must be 0 or more');
      const number = getNumber(world, params.phone_number_id);
      return reply.code(201).send({ id: callBusiness(world, sender, number, { wa_id: params.wa_id, seconds }) });
    },
  );
  app.post<IdRoute>('/messages/:id/click', async (request, reply) => {
    const message = getMessage(world, request.params.id);
    const number = getNumber(world, message.phone_number_id);
    return reply.code(201).send({ click_id: clickLink(world, sender, number, message) });
  });
  app.post<IdRoute & { Body: Partial<PaymentState> }>('/messages/:id/payment', async ({ params, body }) => {
    const message = getMessage(world, params.id);
    const { reference_id, status } = body;
    if (typeof reference_id !== 'string' || typeof status !== 'string') {
      throw new ControlError(400, 'reference_id and status are needed');
    }
    reportPayment(world, sender, getNumber(world, message.phone_number_id), message, { ...body, reference_id, status });
    return { success: true };
  });

  app.get<IdRoute>('/messages/:id', async (request) => presentChatMessage(world, getMessage(world, request.params.id)));
  app.post<IdRoute & { Body: { status: Step['status']; code?: number; copies?: number; pricing?: Dict } }>(
    '/messages/:id/status',
    async (request) => {
      const { status, code, copies, pricing } = request.body;
      if (!statuses.includes(status)) throw new ControlError(400, `status must be one of ${statuses.join(', ')}`);
      const message = getMessage(world, request.params.id);
      const failed = status === 'failed' ? { code: code ?? 131026 } : {};
      await reportStatus(world, sender, message, {
        after_ms: 0,
        status,
        ...failed,
        ...(copies !== undefined && { copies }),
        ...(pricing !== undefined && { pricing }),
      });
      return presentChatMessage(world, message);
    },
  );
}
