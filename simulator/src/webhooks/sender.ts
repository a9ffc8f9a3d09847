import { Agent } from 'undici';
import type { World } from '../world/world.ts';
import { type Callback, callbacksFor } from './callbacks.ts';
import { type Deliveries, type Delivery, makeDeliveries } from './deliveries.ts';
import { makeEnvelope, type Notification } from './envelope.ts';
import { postWebhook } from './post-webhook.ts';
import { signWebhook, toEscapedJson } from './sign-webhook.ts';

export type Sender = {
  /** Resolves after the first attempt at each receiver. */
  notify(notification: Notification, phone_number_id?: string): Promise<void>;
  deliveries: Deliveries;
  /** The number of webhooks waiting, in flight, or to be retried. */
  pending(): number;
  /** Drops queued webhooks and retries. */
  drop(): void;
  close(): Promise<void>;
};

type Waiting = { notification: Notification; tried: () => void };
type TargetQueue = { target: Callback; waiting: Waiting[]; inFlight: number; timed: boolean };

/** Posts notifications to the business: signed, batched under load, retried until answered 200 (section 6.2). */
export function makeSender(world: World): Sender {
  const agent = new Agent({ keepAliveTimeout: 10_000, connect: { timeout: 5_000 } });
  const queues = new Map<string, TargetQueue>();
  const deliveries = makeDeliveries();
  let unsettled = 0;
  let generation = 0;
  let closed = false;

  function queueOf(target: Callback): TargetQueue {
    const key = `${target.callback_url} ${target.app_secret}`;
    const queue = queues.get(key) ?? { target, waiting: [], inFlight: 0, timed: false };
    queues.set(key, queue);
    return queue;
  }

  function postWaiting(queue: TargetQueue): void {
    const { webhook_connections, batch_max } = world.switches;
    while (queue.waiting.length > 0 && queue.inFlight < webhook_connections && !closed) {
      void post(queue, queue.waiting.splice(0, Math.max(1, batch_max)));
    }
  }

  async function post(queue: TargetQueue, batch: Waiting[]): Promise<void> {
    const begun = generation;
    const body = toEscapedJson(makeEnvelope(batch.map((one) => one.notification)));
    const delivery = deliveries.add({
      callback_url: queue.target.callback_url,
      at: world.now(),
      carries: countItems(batch),
      state: 'posting',
      attempts: [],
      signature: signWebhook(body, queue.target.app_secret),
      body,
    });
    unsettled++;
    queue.inFlight++;
    const twice = world.switches.duplicate_webhooks > 0 && world.random.next() < world.switches.duplicate_webhooks;
    await Promise.all([attempt(delivery), twice && attempt(delivery)]);
    queue.inFlight--;
    for (const one of batch) one.tried();
    settle(delivery, begun);
    postWaiting(queue);
  }

  async function attempt(delivery: Delivery): Promise<void> {
    delivery.attempts.push(await postWebhook(delivery, agent, world.switches.webhook_timeout_ms, world.now()));
  }

  /** Sets the state after an attempt: delivered, retrying or lost. */
  function settle(delivery: Delivery, begun: number): void {
    const { retry_base_ms, retry_max_ms, retry_for_ms } = world.switches;
    const pause = Math.min(retry_base_ms * 2 ** (delivery.attempts.length - 1), retry_max_ms);
    if (delivery.attempts.some((one) => one.status === 200)) delivery.state = 'delivered';
    else if (closed || begun !== generation || world.now() + pause - delivery.at > retry_for_ms)
      delivery.state = 'lost';
    else delivery.state = 'retrying';
    world.changes.emit('delivery', delivery);
    if (begun !== generation) return;
    if (delivery.state !== 'retrying') {
      unsettled--;
      return;
    }
    world.timers.after(pause, () => void attempt(delivery).then(() => settle(delivery, begun)));
  }

  return {
    deliveries,
    async notify(notification, phone_number_id) {
      const targets = callbacksFor(world, notification, phone_number_id);
      await Promise.all(
        targets.map((target) => {
          const queue = queueOf(target);
          const tried = new Promise<void>((resolve) => queue.waiting.push({ notification, tried: resolve }));
          const wait = world.switches.batch_wait_ms;
          if (wait === 0) postWaiting(queue);
          else if (!queue.timed) {
            queue.timed = true;
            world.timers.after(wait, () => {
              queue.timed = false;
              postWaiting(queue);
            });
          }
          return tried;
        }),
      );
    },
    pending: () => unsettled + [...queues.values()].reduce((sum, queue) => sum + queue.waiting.length, 0),
    drop() {
      generation++;
      unsettled = 0;
      for (const queue of queues.values()) for (const one of queue.waiting.splice(0)) one.tried();
      deliveries.clear();
    },
    async close() {
      closed = true;
      await agent.destroy();
    },
  };
}

function countItems(batch: Waiting[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { notification } of batch) {
    const name = notification.list?.name ?? notification.field;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
