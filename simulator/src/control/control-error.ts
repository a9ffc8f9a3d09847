import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ChatMessage } from '../world/message.ts';
import type { BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';

/** A refusal of the control API. */
export class ControlError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** Errors of the control API and the page have the form `{ "error": "…" }`. */
export function replyControlError(
  error: Error & { statusCode?: number },
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.code(error.statusCode ?? 500).send({ error: error.message });
}

export function getNumber(world: World, id: string): BusinessNumber {
  const number = world.numbers.get(id);
  if (number === undefined) throw new ControlError(404, `no number ${id}`);
  return number;
}

export function getMessage(world: World, id: string): ChatMessage {
  const message = world.messages.get(id);
  if (message === undefined) throw new ControlError(404, `no message ${id}`);
  return message;
}
