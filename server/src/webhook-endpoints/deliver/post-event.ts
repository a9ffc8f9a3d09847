import { limits, signatureHeader } from '@majlis/contract';
import type { Resources } from '../../process/resources.ts';
import type { AttemptOutcome } from '../queries.ts';
import { signEvent } from './sign-event.ts';

const timeout_ms = limits.webhook.timeout_seconds * 1000;
// Nobody reads what a receiver answers beyond its status; it is received only so far, and never inflated.
const max_answer_bytes = 16 * 1024;

/** Where an event goes, and what is sent. */
export interface Posting {
  url: string;
  /** Sealed in the place `webhook_endpoints.secret`. */
  secret: Buffer;
  /** The envelope in its stored bytes. */
  payload: string;
}

/** One signed request, under 10 seconds in all. Never throws: what goes wrong is the outcome. */
export async function postEvent(
  { clock, config, log, poster, secretBox }: Resources,
  { url, secret, payload }: Posting,
): Promise<AttemptOutcome> {
  let signature: string;
  try {
    signature = signEvent(secretBox.open(secret, 'webhook_endpoints.secret'), payload, clock.now());
  } catch (error) {
    log.error({ err: error }, 'the secret of a webhook endpoint cannot be opened');
    return { response_status: null, duration_ms: null, reason: 'the secret cannot be opened' };
  }
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Majlis',
    [signatureHeader.toLowerCase()]: signature,
  };
  const outcome = await poster.post({ url, allow_private: config.webhookAllowPrivate }, headers, payload, {
    timeout_ms,
    max_answer_bytes,
  });
  if (outcome.type === 'answered') {
    return { response_status: outcome.status, duration_ms: outcome.duration_ms, reason: null };
  }
  return { response_status: null, duration_ms: outcome.duration_ms, reason: outcome.reason };
}
