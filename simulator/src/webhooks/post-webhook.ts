import { type Dispatcher, request } from 'undici';
import type { Delivery } from './deliveries.ts';

type Attempt = Delivery['attempts'][number];

/** Posts a signed webhook once. Never throws: the attempt records the error. */
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
    // Only the status counts, even where the body breaks off.
    await answer.body.dump({ limit: 64 * 1024 }).catch(() => {});
    return { at, status: answer.statusCode, error: null, took_ms: took_ms() };
  } catch (reason) {
    const error = reason instanceof Error ? reason.message || reason.name : String(reason);
    return { at, status: null, error, took_ms: took_ms() };
  }
}
