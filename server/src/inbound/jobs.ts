import type { NewJob } from '../jobs/job.ts';

/** Works through one notification of the platform, or what one has of one customer. Group: the channel it came for. */
export const processWebhook = 'inbound.process_webhook';

/** Applies a status whose message was not known yet when it came. */
export const retryStatus = 'inbound.retry_status';

export interface StoredWebhook {
  /** Of the app secret that signed it: only channels of the same app may be touched. */
  signed_by: string;
  body: string;
}

interface NewWebhook extends StoredWebhook {
  group_id: string;
  queue_key: string | undefined;
  run_at: Date;
}

/** The body is kept as it came, behind a first line with the signer: integers beyond 2^53 in it stay exact. */
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
