import { limits } from '@majlis/contract';
import type { AnyJson } from '@majlis/testing/json';
import { parseId } from '../../../server/src/database/ids.ts';
import {
  createEndpoint,
  createFailedEndpoint,
  type EndpointWithReceiver,
  failNow,
  isEnabled,
  retryLater,
} from '../endpoint-steps.ts';
import { hour, type Rule, type RuleContext, type RuleGroup, second } from '../rule.ts';

const { retry_delays_seconds, disable_after_seconds, delivery_history_seconds } = limits.webhook;
const disable_ms = disable_after_seconds * 1000;
const history_ms = delivery_history_seconds * 1000;

export const webhookRules: RuleGroup = {
  rules: [
    threeDays('an endpoint is disabled by a failure after three days of failures', async () => {}),
    threeDays('a success begins the three days anew', async (context, { receiver }) => {
      receiver.answer(200);
      await retryLater(context);
      receiver.answer(500);
    }),
    threeDays('enabling an endpoint again begins the three days anew', async (context, { id }) => {
      await retryLater(context);
      for (const enabled of [false, true]) await context.api.request('PATCH', `/webhook-endpoints/${id}`, { enabled });
    }),
    {
      name: 'an attempt is listed until the end of its 30 days',
      async open(context) {
        const { id } = await createEndpoint(context);
        await context.receive();
        // The very end is still within them.
        return { edge_ms: context.nowMs() + history_ms + 1, observe: () => countListed(context, id) };
      },
      before: 1,
      after: 0,
    },
    {
      name: 'a replay takes what happened from one moment on and before another',
      async open(context) {
        const { id, receiver } = await createEndpoint(context);
        const edge_ms = context.nowMs() + hour;
        const at = new Date(edge_ms).toJSON();
        const observe = async () => {
          await context.receive();
          const { id: event_id } = receiver.arrivals.at(-1)!.event;
          const replay = async (stretch: object): Promise<number> => {
            const { replayed } = await context.operator('POST', '/replays', { endpoint_id: id, event_id, ...stretch });
            await context.settled();
            return replayed;
          };
          return [await replay({ from: at }), await replay({ to: at })];
        };
        return { edge_ms, observe };
      },
      before: [0, 1],
      after: [1, 0],
    },
    {
      name: 'an attempt is signed with the second in which it is made',
      async open(context) {
        const { receiver } = await createEndpoint(context);
        const edge_ms = Math.ceil(context.nowMs() / second) * second + second;
        const observe = async () => {
          await context.receive();
          const [, at] = receiver.arrivals.at(-1)!.signature.match(/^t=(\d+),/)!;
          return Number(at) * second - edge_ms;
        };
        return { edge_ms, observe };
      },
      before: -second,
      after: 0,
    },
  ],
  schedules: [
    {
      name: 'an event is delivered again after 1 min, 5 min, 30 min, 2 h, 6 h, 12 h and 24 h',
      delays_ms: retry_delays_seconds.map((seconds) => seconds * second),
      // A fiftieth and 2 s at most.
      spread_ms: (delay_ms) => Math.min(delay_ms / 50, 2 * second),
      ends: true,
      async open(context) {
        const { receiver } = await createFailedEndpoint(context);
        return { made: () => receiver.arrivals.length };
      },
    },
  ],
  age_rules: [
    {
      name: 'a gap of more than 48 hours begins the three days anew',
      age_ms: 48 * hour,
      open: async (context) => ({
        make: async () => (await createFailedEndpoint(context)).id,
        async meet(edge_ms) {
          // What is due by then are the retries. Three days after the first failure but one day after these, again.
          await context.moveTo(edge_ms);
          await context.settled();
          await context.moveTo(edge_ms - 48 * hour + disable_ms + 1);
          await context.settled();
        },
        observe: (id) => isEnabled(context, id),
      }),
      expected: [false, false, true],
    },
  ],
  sweeps: [
    {
      name: 'events and their attempts go after 30 days, every hour',
      kind: 'webhook_endpoints.delete_old',
      every_ms: hour,
      keeps_ms: history_ms,
      async open(context) {
        const { receiver } = await createEndpoint(context);
        return {
          async make() {
            await context.receive();
            return receiver.arrivals.at(-1)!.event.id;
          },
          isThere: async (id) => [(await readFeed(context)).includes(id), (await countAttempts(context, id)) > 0],
        };
      },
    },
  ],
};

/** From the first failure behind what happens before. */
function threeDays(
  name: string,
  happen: (context: RuleContext, endpoint: EndpointWithReceiver) => Promise<void>,
): Rule {
  return {
    name,
    async open(context) {
      const endpoint = await createFailedEndpoint(context);
      await happen(context, endpoint);
      await failNow(context, endpoint.id);
      const edge_ms = context.nowMs() + disable_ms;
      await retryLater(context);
      return { edge_ms, observe: () => failNow(context, endpoint.id) };
    },
    before: true,
    after: false,
  };
}

async function countListed({ api }: RuleContext, id: string): Promise<number> {
  return (await api.get(`/webhook-endpoints/${id}/deliveries`)).body.data.length;
}

async function readFeed({ id, operator }: RuleContext): Promise<string[]> {
  const { data } = await operator('GET', `/events?workspace_id=${id}&limit=1000`);
  return data.map((event: AnyJson) => event.id);
}

/** By the rows: the list leaves out what is older by itself. */
async function countAttempts({ sql }: RuleContext, event_id: string): Promise<number> {
  return (await sql('select from webhook_attempts where event_id = $1', [parseId('event', event_id)])).length;
}
