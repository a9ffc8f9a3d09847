import type { NewJob } from '../jobs/job.ts';

/** The kind of the jobs that process one notification, or its part about one customer. The group is its channel. */
export const processWebhook = 'inbound.process_webhook';

/** The kind of the jobs that apply a status whose message was unknown when it came. */
export const retryStatus = 'inbound.retry_status';

export interface StoredWebhook {
  /** The fingerprint (hex) of the app secret that signed it. It may change only channels of the same app. */
  signed_by: string;
  body: string;
}

type NewWebhook = StoredWebhook & Omit<NewJob, 'kind' | 'payload'>;

/** The payload is a line with the signer, then the body unchanged, so that integers beyond 2^53 stay exact. */
export function processWebhookJob({ signed_by, body, ...job }: NewWebhook): NewJob {
  return { kind: processWebhook, ...job, payload: writeWebhook({ signed_by, body }) };
}

export function writeWebhook({ signed_by, body }: StoredWebhook): string {
  return `${signed_by}\n${body}`;
}

export function readWebhook(payload: string): StoredWebhook {
  const end = payload.indexOf('\n');
  return { signed_by: payload.slice(0, end), body: payload.slice(end + 1) };
}
