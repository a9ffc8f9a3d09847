import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Delivery } from '../webhooks/deliveries.ts';
import type { Chat, ChatMessage } from '../world/message.ts';
import type { OtherChange, World } from '../world/world.ts';
import { presentChat, presentChatMessage } from './present.ts';

const heartbeatMs = 15_000;
/** Beyond this backlog the stream drops events; after it drains, `lagged` makes the page reload. */
const bufferLimit = 1024 * 1024;

/** Streams changes as server-sent events: one event name per kind, data in JSON. */
export function streamChanges(world: World, request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  const out = reply.raw;
  out.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  out.write('retry: 1000\n\n');
  let lagged = false;

  const write = (event: string, data: unknown) => {
    if (out.writableLength > bufferLimit) {
      lagged = true;
      return;
    }
    if (lagged) out.write('event: lagged\ndata: {}\n\n');
    lagged = false;
    out.write(`event: ${event}\ndata: ${JSON.stringify(data ?? {})}\n\n`);
  };
  const onMessage = (message: ChatMessage) => write('message', presentChatMessage(world, message));
  const onConversation = (conversation: Chat) => write('conversation', presentChat(world, conversation));
  const onDelivery = ({ body, ...delivery }: Delivery) => write('delivery', delivery);
  const onOther = (name: OtherChange) => write(name, {});

  const { changes } = world;
  changes.on('message', onMessage).on('conversation', onConversation);
  changes.on('delivery', onDelivery).on('other', onOther);
  const heartbeat = setInterval(() => out.write(': alive\n\n'), heartbeatMs);
  request.raw.on('close', () => {
    clearInterval(heartbeat);
    changes.off('message', onMessage).off('conversation', onConversation);
    changes.off('delivery', onDelivery).off('other', onOther);
  });
}
