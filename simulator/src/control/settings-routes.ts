import type { FastifyInstance } from 'fastify';
import { type Delays, type Switches, silentDelays, type WebhookOptions } from '../options.ts';
import { scripts } from '../scripts.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { Dict } from '../world/message.ts';
import type { World } from '../world/world.ts';
import { ControlError } from './control-error.ts';

/** Delays, switches, the clock, webhooks by hand, and a reset. */
export function settingsControl(app: FastifyInstance, world: World, sender: Sender): void {
  const settings = () => ({
    delays: world.delays,
    switches: world.switches,
    webhook: world.webhook ?? null,
    now: new Date(world.now()).toISOString(),
    version: world.version,
  });

  app.get('/scripts', async () => scripts);
  app.get('/settings', async () => settings());
  app.patch<{ Body: { delays?: Partial<Delays> | null; switches?: Partial<Switches>; webhook?: WebhookOptions } }>(
    '/settings',
    async (request) => {
      const { delays, switches, webhook } = request.body;
      refuseUnknown('delays', delays ?? {}, world.delays);
      refuseUnknown('switches', switches ?? {}, world.switches);
      world.delays = delays === null ? silentDelays : { ...world.delays, ...delays };
      world.switches = { ...world.switches, ...switches };
      if (webhook !== undefined) world.webhook = webhook;
      world.changes.emit('other', 'settings');
      return settings();
    },
  );
  app.post<{ Body: { advance_seconds: number } }>('/clock', async (request) => {
    const { advance_seconds } = request.body;
    if (!Number.isFinite(advance_seconds)) throw new ControlError(400, 'advance_seconds must be a number');
    world.moveClock(advance_seconds * 1000);
    world.changes.emit('other', 'settings');
    return { now: new Date(world.now()).toISOString() };
  });
  app.post<{ Body: { waba_id: string; phone_number_id?: string; field: string; value: Dict } }>(
    '/webhooks',
    async (request, reply) => {
      const { waba_id, phone_number_id, field, value } = request.body;
      const time = field === 'messages' ? {} : { time: Math.floor(world.now() / 1000) };
      await sender.notify({ waba_id, field, head: value, ...time }, phone_number_id);
      return reply.code(202).send({ success: true });
    },
  );
  app.post('/reset', async () => {
    world.timers.clear();
    sender.drop();
    world.messages.clear();
    world.conversations.clear();
    world.customers.clear();
    world.media.clear();
    world.ledger.clear();
    world.changes.emit('other', 'reset');
    return { success: true };
  });
}

function refuseUnknown(what: string, given: object, known: object): void {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length > 0) throw new ControlError(400, `unknown ${what}: ${unknown.join(', ')}`);
}
