import { limits } from '@majlis/contract';
import type { AnyJson } from '@majlis/testing/json';
import { parseId } from '../../../server/src/database/ids.ts';
import { type Endpoint, failNow, isEnabled, openEndpoint, openFailing, retryLater } from '../failing-endpoint.ts';
import { type Chapter, hour, type Rule, type Scene, second } from '../rule.ts';

const { retry_delays_seconds, disable_after_seconds, delivery_history_seconds } = limits.webhook;
const disable_ms = disable_after_seconds * 1000;
const history_ms = delivery_history_seconds * 1000;

export const aboutWebhooks: Chapter = {
  rules: [
    threeDays('an endpoint is disabled by a failure after three days of failures', async () => {}),
    threeDays('a success begins the three days anew', async (scene, { receiver }) => {
      receiver.answer(200);
      await retryLater(scene);
      receiver.answer(500);
    }),
    threeDays('enabling an endpoint again begins the three days anew', async (scene, { id }) => {
      await retryLater(scene);
      for (const enabled of [false, true]) await scene.api.request('PATCH', `/webhook-endpoints/${id}`, { enabled });
    }),
    {
      name: 'an attempt is listed until the end of its 30 days',
      async open(scene) {
        const { id } = await openEndpoint(scene);
        await scene.hear();
        // The very end is still within them.
        return { edge_ms: scene.nowMs() + history_ms + 1, look: () => countListed(scene, id) };
      },
      before: 1,
      after: 0,
    },
    {
      name: 'a replay takes what happened from one moment on and before another',
      async open(scene) {
        const { id, receiver } = await openEndpoint(scene);
        const edge_ms = scene.nowMs() + hour;
        const at = new Date(edge_ms).toJSON();
        const look = async () => {
          await scene.hear();
          const { id: event_id } = receiver.arrivals.at(-1)!.event;
          const replay = async (stretch: object): Promise<number> => {
            const { replayed } = await scene.operator('POST', '/replays', { endpoint_id: id, event_id, ...stretch });
            await scene.settled();
            return replayed;
          };
          return [await replay({ from: at }), await replay({ to: at })];
        };
        return { edge_ms, look };
      },
      before: [0, 1],
      after: [1, 0],
    },
    {
      name: 'an attempt is signed with the second in which it is made',
      async open(scene) {
        const { receiver } = await openEndpoint(scene);
        const edge_ms = Math.ceil(scene.nowMs() / second) * second + second;
        const look = async () => {
          await scene.hear();
          const [, at] = receiver.arrivals.at(-1)!.signature.match(/^t=(\d+),/)!;
          return Number(at) * second - edge_ms;
        };
        return { edge_ms, look };
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
      async open(scene) {
        const { receiver } = await openFailing(scene);
        return { made: () => receiver.arrivals.length };
      },
    },
  ],
  age_rules: [
    {
      name: 'a gap of more than 48 hours begins the three days anew',
      age_ms: 48 * hour,
      open: async (scene) => ({
        make: async () => (await openFailing(scene)).id,
        async meet(edge_ms) {
          // What is due by then are the retries. Three days after the first failure but one day after these, again.
          await scene.moveTo(edge_ms);
          await scene.settled();
          await scene.moveTo(edge_ms - 48 * hour + disable_ms + 1);
          await scene.settled();
        },
        look: (id) => isEnabled(scene, id),
      }),
      expected: [false, false, true],
    },
  ],
  sweeps: [
    {
      name: 'events and their attempts go after 30 days, every hour',
      kind: 'webhook_endpoints.forget_old',
      every_ms: hour,
      keeps_ms: history_ms,
      async open(scene) {
        const { receiver } = await openEndpoint(scene);
        return {
          async make() {
            await scene.hear();
            return receiver.arrivals.at(-1)!.event.id;
          },
          isThere: async (id) => [(await readFeed(scene)).includes(id), (await countAttempts(scene, id)) > 0],
        };
      },
    },
  ],
};

/** From the first failure behind what happens before. */
function threeDays(name: string, happen: (scene: Scene, endpoint: Endpoint) => Promise<void>): Rule {
  return {
    name,
    async open(scene) {
      const endpoint = await openFailing(scene);
      await happen(scene, endpoint);
      await failNow(scene, endpoint.id);
      const edge_ms = scene.nowMs() + disable_ms;
      await retryLater(scene);
      return { edge_ms, look: () => failNow(scene, endpoint.id) };
    },
    before: true,
    after: false,
  };
}

async function countListed({ api }: Scene, id: string): Promise<number> {
  return (await api.get(`/webhook-endpoints/${id}/deliveries`)).body.data.length;
}

async function readFeed({ id, operator }: Scene): Promise<string[]> {
  const { data } = await operator('GET', `/events?workspace_id=${id}&limit=1000`);
  return data.map((event: AnyJson) => event.id);
}

/** By the rows: the list leaves out what is older by itself. */
async function countAttempts({ sql }: Scene, event_id: string): Promise<number> {
  return (await sql('select from webhook_attempts where event_id = $1', [parseId('event', event_id)])).length;
}
