import { limits } from '@majlis/contract';
import { newDigits } from '@majlis/testing/messages';
import { platformStatus } from '@majlis/testing/notifications';
import { template } from '../open-workspace.ts';
import { type Chapter, day, hour, minute, type Scene } from '../rule.ts';

const window_ms = limits.window_seconds * 1000;

/** The number may write to one new customer in any 24 hours. */
export const aboutBroadcasts: Chapter = {
  file: { channel: { messaging_tier: 1 } },
  rules: [
    {
      name: 'a broadcast starts at send_at',
      async open(scene) {
        const edge_ms = scene.nowMs() + 3 * day;
        const id = await broadcast(scene, newDigits(), { send_at: new Date(edge_ms).toJSON() });
        return { edge_ms, look: async () => (await scene.api.get(`/broadcasts/${id}`)).body.status !== 'scheduled' };
      },
      before: false,
      after: true,
      comes: true,
    },
    {
      name: 'a broadcast whose send_at has come starts when it is created',
      async open(scene) {
        const edge_ms = scene.nowMs() + hour;
        const look = async () => {
          const id = await broadcast(scene, newDigits(), { send_at: new Date(edge_ms).toJSON() });
          const { status } = (await scene.api.get(`/broadcasts/${id}`)).body;
          await scene.api.post(`/broadcasts/${id}/cancel`);
          return status !== 'scheduled';
        };
        return { edge_ms, look };
      },
      before: false,
      after: true,
    },
    {
      name: 'a place of the messaging tier falls free after 24 hours',
      async open(scene) {
        await freeTier(scene);
        await scene.greet();
        const edge_ms = scene.nowMs() + day;
        const digits = newDigits();
        await broadcast(scene, digits);
        return { edge_ms, look: async () => isCalled(scene, digits) };
      },
      before: false,
      after: true,
      comes: true,
    },
    {
      name: 'a broadcast that waits for a place of the messaging tier looks again after a minute',
      async open(scene) {
        await freeTier(scene);
        const { id } = await scene.greet();
        const digits = newDigits();
        await broadcast(scene, digits);
        // Who was not reached takes no place.
        await scene.report({ statuses: [platformStatus(scene.platform.wamids.get(id)!, 'failed')] });
        return { edge_ms: scene.nowMs() + minute, look: async () => isCalled(scene, digits) };
      },
      before: false,
      after: true,
      comes: true,
    },
    {
      name: 'a customer takes no place of the messaging tier while the window is open',
      async open(scene) {
        await freeTier(scene);
        const customers = [newDigits(), newDigits(), newDigits()];
        const written_ms = Math.floor(scene.nowMs() / 1000) * 1000;
        for (const digits of customers) await scene.hear({ digits, written_ms });
        return fillTier(scene, written_ms + window_ms, customers);
      },
      before: true,
      after: false,
    },
    {
      name: 'a customer who was written to takes no other place of the messaging tier for 24 hours',
      async open(scene) {
        await freeTier(scene);
        const customers = [newDigits(), newDigits(), newDigits()];
        for (const digits of customers) await scene.greet(digits);
        await scene.settled();
        scene.platform.calls.length = 0;
        return fillTier(scene, scene.nowMs() + day, customers);
      },
      before: true,
      after: false,
    },
  ],
};

/** Answers its id, once it has been looked at. */
async function broadcast({ api, settled }: Scene, digits: string, more: object = {}): Promise<string> {
  const audience = { recipients: [{ to: `+${digits}` }] };
  const { body } = await api.post('/broadcasts', { name: 'Ready', template, audience, ...more });
  await settled();
  return body.id;
}

function isCalled({ platform }: Scene, digits: string): boolean {
  return platform.calls.some(({ body }) => body.to?.replace('+', '') === digits);
}

/** Lets the places fall free that were taken before. */
function freeTier({ moveTo, nowMs }: Scene): Promise<void> {
  return moveTo(nowMs() + day);
}

/** The place is taken from an hour before the edge on: whom a broadcast then reaches takes none. */
async function fillTier(scene: Scene, edge_ms: number, customers: string[]) {
  await scene.moveTo(edge_ms - hour);
  await scene.greet();
  const look = async () => {
    const digits = customers.pop()!;
    const id = await broadcast(scene, digits);
    await scene.api.post(`/broadcasts/${id}/cancel`);
    return isCalled(scene, digits);
  };
  return { edge_ms, look };
}
