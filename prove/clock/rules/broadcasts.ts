import { limits } from '@majlis/contract';
import { newDigits } from '@majlis/testing/messages';
import { platformStatus } from '@majlis/testing/notifications';
import { orderReady } from '../clock-workspace.ts';
import { day, hour, minute, type RuleContext, type RuleGroup } from '../rule.ts';

const window_ms = limits.window_seconds * 1000;

/** The number may write to one new customer in any 24 hours. */
export const broadcastRules: RuleGroup = {
  file: { channel: { messaging_tier: 1 } },
  rules: [
    {
      name: 'a broadcast starts at send_at',
      async open(context) {
        const edge_ms = context.nowMs() + 3 * day;
        const id = await broadcast(context, newDigits(), { send_at: new Date(edge_ms).toJSON() });
        return {
          edge_ms,
          observe: async () => (await context.api.get(`/broadcasts/${id}`)).body.status !== 'scheduled',
        };
      },
      comes: true,
    },
    {
      name: 'a broadcast whose send_at has come starts when it is created',
      async open(context) {
        const edge_ms = context.nowMs() + hour;
        const observe = async () => {
          const id = await broadcast(context, newDigits(), { send_at: new Date(edge_ms).toJSON() });
          const { status } = (await context.api.get(`/broadcasts/${id}`)).body;
          await context.api.post(`/broadcasts/${id}/cancel`);
          return status !== 'scheduled';
        };
        return { edge_ms, observe };
      },
    },
    {
      name: 'a place of the messaging tier falls free after 24 hours',
      async open(context) {
        await freeTier(context);
        await context.sendTemplate();
        const edge_ms = context.nowMs() + day;
        const digits = newDigits();
        await broadcast(context, digits);
        return { edge_ms, observe: async () => isCalled(context, digits) };
      },
      comes: true,
    },
    {
      name: 'a broadcast that waits for a place of the messaging tier looks again after a minute',
      async open(context) {
        await freeTier(context);
        const { id } = await context.sendTemplate();
        const digits = newDigits();
        await broadcast(context, digits);
        // Who was not reached takes no place.
        await context.report({ statuses: [platformStatus(context.platform.wamids.get(id)!, 'failed')] });
        return { edge_ms: context.nowMs() + minute, observe: async () => isCalled(context, digits) };
      },
      comes: true,
    },
    {
      name: 'a customer takes no place of the messaging tier while the window is open',
      async open(context) {
        await freeTier(context);
        const customers = [newDigits(), newDigits(), newDigits()];
        const written_ms = Math.floor(context.nowMs() / 1000) * 1000;
        for (const digits of customers) await context.receive({ digits, written_ms });
        return fillTier(context, written_ms + window_ms, customers);
      },
      before: true,
      after: false,
    },
    {
      name: 'a customer who was written to takes no other place of the messaging tier for 24 hours',
      async open(context) {
        await freeTier(context);
        const customers = [newDigits(), newDigits(), newDigits()];
        for (const digits of customers) await context.sendTemplate(digits);
        await context.settled();
        context.platform.calls.length = 0;
        return fillTier(context, context.nowMs() + day, customers);
      },
      before: true,
      after: false,
    },
  ],
};

/** Answers its id, once it has been looked at. */
async function broadcast({ api, settled }: RuleContext, digits: string, more: object = {}): Promise<string> {
  const audience = { recipients: [{ to: `+${digits}` }] };
  const { body } = await api.post('/broadcasts', { name: 'Ready', template: orderReady, audience, ...more });
  await settled();
  return body.id;
}

function isCalled({ platform }: RuleContext, digits: string): boolean {
  return platform.calls.some(({ body }) => body.to?.replace('+', '') === digits);
}

/** Lets the places fall free that were taken before. */
function freeTier({ moveTo, nowMs }: RuleContext): Promise<void> {
  return moveTo(nowMs() + day);
}

/** The place is taken from an hour before the edge on: whom a broadcast then reaches takes none. */
async function fillTier(context: RuleContext, edge_ms: number, customers: string[]) {
  await context.moveTo(edge_ms - hour);
  await context.sendTemplate();
  const observe = async () => {
    const digits = customers.pop()!;
    const id = await broadcast(context, digits);
    await context.api.post(`/broadcasts/${id}/cancel`);
    return isCalled(context, digits);
  };
  return { edge_ms, observe };
}
