import { limits, signatureHeader } from '@majlis/contract';
import type { Resources } from '../../process/resources.ts';
import { type AttemptOutcome, type SealedSecrets, secretContext } from '../queries.ts';
import { signEvent } from './sign-event.ts';

const timeout_ms = limits.webhook.timeout_seconds * 1000;
// Only the status of an answer matters: its body is read up to this size and never decompressed.
const max_answer_bytes = 16 * 1024;

/** The target and the payload of a post. */
export interface Posting extends SealedSecrets {
  url: string;
  /** The envelope as stored. */
  payload: string;
}

/** Posts one signed request within 10 seconds. Never throws: a failure is an outcome. */
export async function postEvent(resources: Resources, { url, payload, ...sealed }: Posting): Promise<AttemptOutcome> {
  const { clock, config, log, poster } = resources;
  let signature: string;
  try {
    signature = signEvent(openSecrets(resources, sealed), payload, clock.now());
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

/** The new secret first. */
function openSecrets(
  { clock, secretBox }: Resources,
  { secret, old_secret, old_secret_until }: SealedSecrets,
): string[] {
  const isOldValid = old_secret !== null && old_secret_until! > clock.now();
  return (isOldValid ? [secret, old_secret] : [secret]).map((sealed) => secretBox.open(sealed, secretContext));
}
