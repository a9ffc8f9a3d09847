import { signatureHeader } from '@majlis/contract';
import { limits } from '@majlis/contract/limits';
import type { EventEnvelope } from '@majlis/sdk';
import { signEvent } from '../../webhook-endpoints/deliver/sign-event.ts';
import { Failure } from '../failure.ts';

export interface Receiver {
  url: string;
  secret: string;
}

export interface Outcome {
  /** `away`: no connection, so all events wait. `refused`: this event was not taken. */
  type: 'confirmed' | 'refused' | 'away';
  /** The status, or the reason why there is none. */
  result: string;
  duration_ms: number;
}

/** Posts the event as the service posts it to a webhook endpoint. Never throws: a failure is an outcome. */
export async function forwardEvent({ url, secret }: Receiver, event: EventEnvelope): Promise<Outcome> {
  const payload = JSON.stringify(event);
  const begun = performance.now();
  const since = () => Math.round(performance.now() - begun);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Majlis',
        [signatureHeader.toLowerCase()]: signEvent([secret], payload, new Date()),
      },
      body: payload,
      // A redirection is no confirmation.
      redirect: 'manual',
      signal: AbortSignal.timeout(limits.webhook.timeout_seconds * 1000),
    });
    const duration_ms = since();
    await response.body?.cancel();
    return { type: response.ok ? 'confirmed' : 'refused', result: String(response.status), duration_ms };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string; message?: string } };
    if (name === 'TimeoutError') {
      return { type: 'refused', result: `no answer in ${limits.webhook.timeout_seconds} s`, duration_ms: since() };
    }
    return { type: 'away', result: cause?.code ?? cause?.message ?? String(error), duration_ms: since() };
  }
}

/** Reads `--forward-to`: an address, one without its scheme, or a port of this machine. */
export function readReceiverUrl(text: string): string {
  const address = /^\d+(\/.*)?$/.test(text)
    ? `http://127.0.0.1:${text}`
    : /^\w+:\/\//.test(text)
      ? text
      : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username) return url.href;
  throw new Failure('usage', '--forward-to must be an address such as http://127.0.0.1:3000/events, or a port.');
}
