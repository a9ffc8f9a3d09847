import { type Dispatcher, request } from 'undici';
import type { Delivery } from './deliveries.ts';

type Attempt = Delivery['attempts'][number];

/** One POST of a signed webhook. Never throws: what went wrong is part of the record. */
export async function postWebhook(
  delivery: Delivery,
  dispatcher: Dispatcher,
  timeout_ms: number,
  at: number,
): Promise<Attempt> {
  const started = performance.now();
  const took_ms = () => Math.round(performance.now() - started);
  try {
    const answer = await request(delivery.callback_url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'facebookexternalua',
        'x-hub-signature-256': delivery.signature,
      },
      body: delivery.body,
      dispatcher,
      signal: AbortSignal.timeout(timeout_ms),
    });
    // The status is the answer; a body that breaks off does not take it back.
    await answer.body.dump({ limit: 64 * 1024 }).catch(() => {});
    return { at, status: answer.statusCode, error: null, took_ms: took_ms() };
  } catch (reason) {
    const error = reason instanceof Error ? reason.message || reason.name : String(reason);
    return { at, status: null, error, took_ms: took_ms() };
  }
}
