import type { FastifyInstance } from 'fastify';
import { type Crowd, type CrowdAnswer, type CrowdOptions, gatherCrowd } from '../customer/crowd.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { World } from '../world/world.ts';
import { ControlError, getNumber } from './control-error.ts';

const mostCustomers = 100_000;

/** Crowds of customers who answer by a script: one per business number at a time. */
export function crowdControl(app: FastifyInstance, world: World, sender: Sender): void {
  const crowds = new Map<string, Crowd>();
  const present = ({ options, counts }: Crowd) => ({ ...options, counts });

  app.get('/crowds', async () => [...crowds.values()].map(present));
  app.post<{ Body: CrowdOptions }>('/crowds', async (request, reply) => {
    const options = request.body;
    getNumber(world, options.phone_number_id);
    const fault = findFault(options);
    if (fault !== undefined) throw new ControlError(400, fault);
    crowds.get(options.phone_number_id)?.leave();
    const crowd = gatherCrowd(world, sender, options);
    crowds.set(options.phone_number_id, crowd);
    return reply.code(201).send(present(crowd));
  });
  app.delete<{ Params: { phone_number_id: string } }>('/crowds/:phone_number_id', async (request, reply) => {
    const { phone_number_id } = request.params;
    crowds.get(phone_number_id)?.leave();
    if (!crowds.delete(phone_number_id)) throw new ControlError(404, `no crowd at ${phone_number_id}`);
    return reply.code(204).send();
  });
}

function findFault({ first, size, answers = [], opening }: CrowdOptions): string | undefined {
  if (typeof first !== 'string' || !/^\+?\d{5,15}$/.test(first)) return 'first must be a phone number';
  if (!Number.isInteger(size) || size < 1 || size > mostCustomers) return `size must be from 1 to ${mostCustomers}`;
  if (opening !== undefined && typeof opening?.text !== 'string') return 'opening.text is missing';
  if (!Array.isArray(answers)) return 'answers must be a list';
  const bad = answers.findIndex((answer) => !isAnswer(answer));
  return bad < 0 ? undefined : `answers[${bad}] must have one of text, tap, react, silent; share is from 0 to 1`;
}

function isAnswer(answer: CrowdAnswer): boolean {
  const kinds = ['text', 'tap', 'react', 'silent'].filter((kind) => Object.hasOwn(answer ?? {}, kind));
  const { share = 1, after_ms = 0, when = '' } = answer ?? {};
  return kinds.length === 1 && typeof when === 'string' && share >= 0 && share <= 1 && after_ms >= 0;
}
